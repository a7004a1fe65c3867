/** A page of a list that is walked by cursor. */
export interface CursorPage<T> {
  data: readonly T[];
  pagination: { limit: number; hasMore: boolean; nextCursor: string | null };
}

/** Every entry in order, or page by page: `nextCursor` is where another walk may begin. */
export interface Walk<T> extends AsyncIterable<T> {
  pages(): AsyncIterable<CursorPage<T>>;
}

/**
 * @param read reads the page behind the cursor
 * @param follows true: behind the last page it goes on reading, so that it never ends
 */
export function walk<T>(read: (cursor: string | undefined) => Promise<CursorPage<T>>, first?: string, follows = false) {
  async function* pages() {
    for (let cursor = first; ;) {
      const page = await read(cursor);
      yield page;
      // Where nothing was there yet, `latest` has no cursor. Asked again it would begin behind what has come since.
      cursor = page.pagination.nextCursor ?? (cursor === 'latest' ? undefined : cursor);
      if (!page.pagination.hasMore && !follows) return;
    }
  }
  async function* entries() {
    for await (const { data } of pages()) yield* data;
  }
  return { pages, [Symbol.asyncIterator]: entries } satisfies Walk<T>;
}
