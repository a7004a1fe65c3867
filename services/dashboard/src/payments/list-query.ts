import { filterNames, type FilterTexts } from '@cobro/dashboard/payments/payment-filters.ts';
import { field } from '../http/visit.ts';
import { searchOf } from './search.rules.ts';

/** The filters of a list, as they stand in its address. */
export function filtersOf(query: URLSearchParams): FilterTexts {
  const given = filterNames.map((name) => [name, field(query, name)] as const).filter(([, value]) => value !== '');
  return Object.fromEntries(given);
}

const PAID = ['CONFIRMED', 'REFUNDED'];

type Asked =
  | { kind: 'payment'; id: string }
  | { kind: 'query'; query: Readonly<Record<string, string | readonly string[]>> };

/** The narrower bound of the filter and the search. A filter that is no amount goes to the API, which refuses it. */
const narrower = (
  filter: string | undefined,
  searched: string | undefined,
  isNarrower: (searched: number, set: number) => boolean,
): string | undefined =>
  filter === undefined || (searched !== undefined && isNarrower(Number(searched), Number(filter))) ? searched : filter;

/** The API's query for these filters, or the payment whose id is in the search box. */
export function apiQueryOf({ q = '', from, to, status, amountFrom, amountTo, ...others }: FilterTexts): Asked {
  const search = searchOf(q);
  if (search.kind === 'payment') return search;
  const found: Readonly<Record<string, string>> = search.kind === 'filter' ? search.filter : {};
  const least = narrower(amountFrom, found['amountFrom'], (searched, set) => searched > set);
  const most = narrower(amountTo, found['amountTo'], (searched, set) => searched < set);
  const query = {
    ...others,
    ...(status !== undefined && { status: status === 'PAID' ? PAID : status }),
    ...found,
    ...(least !== undefined && { amountFrom: least }),
    ...(most !== undefined && { amountTo: most }),
    ...(from !== undefined && { createdAtFrom: from }),
    ...(to !== undefined && { createdAtTo: to }),
  };
  return { kind: 'query', query };
}
