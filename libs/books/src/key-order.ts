type KeyOf<T> = (item: T) => string;

/**
 * Walks through pages in the order of their keys, with one page in memory. `read` returns the page after a key, or the first page;
 * an empty page is the end. @throws if a page is not in order, because a walk out of order would find false differences
 */
export async function* walk<T>(read: (after: string | undefined) => Promise<T[]>, keyOf: KeyOf<T>): AsyncGenerator<T> {
  for (let after: string | undefined; ;) {
    const page = await read(after);
    if (page.length === 0) return;
    for (const item of page) {
      const key = keyOf(item);
      if (after !== undefined && key <= after)
        throw new Error(`${key} comes after ${after}: the page is not in the order of its keys`);
      after = key;
      yield item;
    }
  }
}

/** Several walks as one, in the order of the keys. */
export async function* merge<T>(walks: AsyncGenerator<T>[], keyOf: KeyOf<T>): AsyncGenerator<T> {
  const begun = await Promise.all(walks.map(async (one) => ({ one, next: await one.next() })));
  let heads = begun.filter(({ next }) => next.done !== true);
  while (heads.length > 0) {
    const first = heads.reduce((least, head) =>
      keyOf(head.next.value as T) < keyOf(least.next.value as T) ? head : least,
    );
    yield first.next.value as T;
    first.next = await first.one.next();
    if (first.next.done === true) heads = heads.filter((head) => head !== first);
  }
}

/** Yields every key of two walks once, with the item of each. */
export async function* pair<A, B>(
  a: { walk: AsyncGenerator<A>; keyOf: KeyOf<A> },
  b: { walk: AsyncGenerator<B>; keyOf: KeyOf<B> },
): AsyncGenerator<{ a: A | undefined; b: B | undefined }> {
  let [left, right] = await Promise.all([a.walk.next(), b.walk.next()]);
  while (left.done !== true || right.done !== true) {
    const [keyA, keyB] = [
      left.done === true ? undefined : a.keyOf(left.value),
      right.done === true ? undefined : b.keyOf(right.value),
    ];
    const takesA = keyA !== undefined && (keyB === undefined || keyA <= keyB);
    const takesB = keyB !== undefined && (keyA === undefined || keyB <= keyA);
    yield { a: takesA ? (left.value as A) : undefined, b: takesB ? (right.value as B) : undefined };
    [left, right] = await Promise.all([takesA ? a.walk.next() : left, takesB ? b.walk.next() : right]);
  }
}

export async function* inChunks<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length === size) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}
