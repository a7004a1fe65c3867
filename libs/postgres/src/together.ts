export interface TogetherOptions<Item> {
  /** Works on what came together. Must not reject. */
  work: (items: [Item, ...Item[]]) => Promise<void>;
  /** Two items with one key are never together. */
  keyOf: (item: Item) => string;
  /** How many works are under way at once. One that has taken longer than `slowAfterMs` does not count. */
  atOnce: number;
  slowAfterMs: number;
  /** The most items of one work. */
  most: number;
}

/**
 * Gives a function that adds an item. What comes alone is worked on at once; what comes while others are worked on goes together
 * in the next work, in the order of the keys.
 */
export function together<Item>({ work, keyOf, atOnce, slowAfterMs, most }: TogetherOptions<Item>) {
  let waiting: Item[] = [];
  let underWay = 0;
  let isNextSet = false;

  /** Begins after this turn of the event loop, so that all who come in it are together. */
  const beginSoon = () => {
    if (isNextSet || waiting.length === 0 || underWay >= atOnce) return;
    isNextSet = true;
    setImmediate(() => {
      isNextSet = false;
      begin(takeNext());
      beginSoon();
    });
  };
  const begin = ([first, ...others]: Item[]) => {
    if (first === undefined) return;
    let counts = true;
    const makeRoom = () => {
      if (counts) underWay--;
      counts = false;
      beginSoon();
    };
    underWay++;
    const slow = setTimeout(makeRoom, slowAfterMs);
    void work([first, ...others])
      .finally(() => clearTimeout(slow))
      .then(makeRoom);
  };
  const takeNext = (): Item[] => {
    const taken = new Map<string, Item>();
    waiting = waiting.filter((item) => {
      const key = keyOf(item);
      const stays = taken.size === most || taken.has(key);
      if (!stays) taken.set(key, item);
      return stays;
    });
    return [...taken].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
  };
  return (item: Item): void => {
    waiting.push(item);
    beginSoon();
  };
}
