import type { Result } from '@cobro/client/refusal.ts';

/** The page of a list that the address names; the first where it names none. */
export const pageIn = (query: URLSearchParams): number =>
  Number(/^[1-9]\d{0,5}$/.exec(query.get('page') ?? '')?.[0] ?? '1');

interface Listed {
  page: number;
  pageSize: number;
  /** To where the API counts, and lists, with these filters; all where that is not given. */
  counted?: number;
}

interface PageFound<Row> {
  rows: readonly Row[];
  page: number;
  hasMore: boolean;
  isCapped: boolean;
}

/**
 * A page of a list; null where it did not come in time. `isCapped`: it is the last that the API lists, though there may be more. A page behind
 * that is refused, and has no rows.
 */
export function pageOf<Row>(
  result: Result<{ count: number; items: readonly Row[] }>,
  { page, pageSize, counted = Infinity }: Listed,
): PageFound<Row> | null {
  if (result.kind === 'done') {
    const { count, items } = result.value;
    const upTo = page * pageSize;
    return { rows: items, page, hasMore: count > upTo, isCapped: count === counted && upTo >= counted };
  }
  const isBehind = result.kind === 'refused' && result.refusal.status === 400 && (page - 1) * pageSize >= counted;
  return isBehind ? { rows: [], page, hasMore: false, isCapped: false } : null;
}
