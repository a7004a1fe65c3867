import { filterNames, type PaymentFilters } from '@cobro/dashboard/payments/payments-page.ts';
import { field } from '../http/visit.ts';
import { searchOf } from './search.rules.ts';

/** The filters of a list, as they stand in its address. */
export function filtersOf(query: URLSearchParams): PaymentFilters {
  const given = filterNames.map((name) => [name, field(query, name)] as const).filter(([, value]) => value !== '');
  return Object.fromEntries(given);
}

const PAID = ['CONFIRMED', 'REFUNDED'];

type Asked =
  | { kind: 'payment'; id: string }
  | { kind: 'query'; query: Readonly<Record<string, string | readonly string[]>> };

/** What the API is asked for by these filters; or the payment that the box names. */
export function apiQueryOf({ q = '', from, to, status, ...others }: PaymentFilters): Asked {
  const search = searchOf(q);
  if (search.kind === 'payment') return search;
  const query = {
    ...others,
    ...(status !== undefined && { status: status === 'PAID' ? PAID : status }),
    ...(search.kind === 'filter' && search.filter),
    ...(from !== undefined && { createdAtFrom: from }),
    ...(to !== undefined && { createdAtTo: to }),
  };
  return { kind: 'query', query };
}
