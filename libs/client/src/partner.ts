import type { Routes } from './api.ts';
import { type CallOptions, createCaller, identifying, type Identity, type Options } from './call.ts';

/** The key is `pk_…`. */
export type PartnerOptions = Options & Identity;

/** What a sales partner may do for its organizations. `baseUrl` is the partner API's. */
export function createPartner(options: PartnerOptions) {
  const call = createCaller(options, identifying(options));
  return {
    payments: (query: Routes['listPartnerPayments']['query'] = {}, o?: CallOptions) =>
      call('listPartnerPayments', { query }, o),
    events: (query: Routes['listPartnerEvents']['query'] = {}, o?: CallOptions) =>
      call('listPartnerEvents', { query }, o),
    /** The promotions that it sponsors. */
    promotions: (query: Routes['listPartnerPromotions']['query'] = {}, o?: CallOptions) =>
      call('listPartnerPromotions', { query }, o),
    promotion: (id: string, o?: CallOptions) => call('readPartnerPromotion', { params: { id } }, o),
    acceptPromotion: (id: string, o?: CallOptions) => call('acceptPromotion', { params: { id } }, o),
    endPromotion: (id: string, o?: CallOptions) => call('endPartnerPromotion', { params: { id } }, o),
  };
}
