import type { Routes } from './api.ts';
import { type CallOptions, createCaller, type Options } from './call.ts';

export interface PartnerOptions extends Options {
  /** `pk_…` */
  apiKey: string;
}

/** What a sales partner may read of its organizations. `baseUrl` is the partner API's. */
export function createPartner({ apiKey, ...options }: PartnerOptions) {
  const call = createCaller(options, { 'x-api-key': apiKey });
  return {
    payments: (query: Routes['listPartnerPayments']['query'] = {}, o?: CallOptions) =>
      call('listPartnerPayments', { query }, o),
    events: (query: Routes['listPartnerEvents']['query'] = {}, o?: CallOptions) =>
      call('listPartnerEvents', { query }, o),
  };
}
