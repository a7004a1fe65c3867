import type { Routes } from './api.ts';
import { type CallOptions, createCaller, identifying, type Identity, type Options } from './call.ts';

/** The key is `pk_…`. */
export type PartnerOptions = Options & Identity;

/** What a sales partner may read of its organizations. `baseUrl` is the partner API's. */
export function createPartner(options: PartnerOptions) {
  const call = createCaller(options, identifying(options));
  return {
    payments: (query: Routes['listPartnerPayments']['query'] = {}, o?: CallOptions) =>
      call('listPartnerPayments', { query }, o),
    events: (query: Routes['listPartnerEvents']['query'] = {}, o?: CallOptions) =>
      call('listPartnerEvents', { query }, o),
  };
}
