import { partnerFilterNames, type PartnerFilters } from '@cobro/dashboard/partner/partner-payments-page.ts';
import { field } from '../http/visit.ts';

/** The filters of a list, as they stand in its address. */
export function filtersOf(query: URLSearchParams): PartnerFilters {
  const given = partnerFilterNames.map((name) => [name, field(query, name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** The API's query for these filters. Operation codes begin at 100001; smaller numbers are amounts, and the rest are names. */
export const apiQueryOf = ({ q, from, to, ...others }: PartnerFilters) => ({
  ...others,
  ...(q !== undefined && (/^\d{6,14}$/.test(q) ? { operationCode: q } : { search: q })),
  ...(from !== undefined && { createdAtFrom: from }),
  ...(to !== undefined && { createdAtTo: to }),
});
