import { pause } from './pause.ts';

/** Between two requests for what comes next, also if the API does not let one wait. */
const AT_LEAST_MS = 1_000;

/** A page of a list that is walked by cursor. */
export interface CursorPage<T> {
  data: readonly T[];
  pagination: { limit: number; hasMore: boolean; nextCursor: string | null };
}

/** Gives every entry in order, or page by page. Another walk may begin at a page's `nextCursor`. */
export interface Walk<T> extends AsyncIterable<T> {
  pages(): AsyncIterable<CursorPage<T>>;
}

/**
 * @param read reads the page behind the cursor
 * @param follows true: it goes on reading after the last page, and never ends
 */
export function walk<T>(read: (cursor: string | undefined) => Promise<CursorPage<T>>, first?: string, follows = false) {
  async function* pages() {
    for (let cursor = first; ;) {
      const begun = performance.now();
      const page = await read(cursor);
      yield page;
      // If there was no event yet, the answer to `latest` has no cursor. Asking for `latest` again would skip what has come since.
      cursor = page.pagination.nextCursor ?? (cursor === 'latest' ? undefined : cursor);
      if (page.pagination.hasMore) continue;
      if (!follows) return;
      if (page.data.length === 0) await pause(Math.max(0, begun + AT_LEAST_MS - performance.now()), undefined);
    }
  }
  async function* entries() {
    for await (const { data } of pages()) yield* data;
  }
  return { pages, [Symbol.asyncIterator]: entries } satisfies Walk<T>;
}
