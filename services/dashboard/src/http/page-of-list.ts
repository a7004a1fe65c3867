import type { Result } from '@cobro/client/refusal.ts';

/** The page of a list that the address names, else the first. */
export const pageIn = (query: URLSearchParams): number =>
  Number(/^[1-9]\d{0,5}$/.exec(query.get('page') ?? '')?.[0] ?? '1');

interface Listed {
  page: number;
  pageSize: number;
  /** The most rows that the API counts and lists with these filters; all unless given. */
  counted?: number;
}

interface PageFound<Row> {
  rows: readonly Row[];
  page: number;
  hasMore: boolean;
  isCapped: boolean;
}

/**
 * A page of a list; null if it did not come in time. `isCapped`: it is the last page that the API lists, though there may be more rows. The
 * API refuses a later page, which is shown empty.
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
