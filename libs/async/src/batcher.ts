import { setImmediate as nextTurn } from 'node:timers/promises';
import { createInFlight } from './in-flight.ts';

export interface BatcherOptions<Item> {
  /** Works on what came together. Must not reject. */
  work: (items: [Item, ...Item[]]) => Promise<void>;
  /** Two items with one key are never in one batch, and a batch is in the order of its keys; otherwise in the order in which items came. */
  keyOf?: (item: Item) => string;
  /** How many batches are under way at once; one unless given. */
  atOnce?: number;
  /** A batch that has taken longer does not count; without it all count. */
  slowAfterMs?: number;
  /** How long an item that comes alone waits for others; not at all unless given. */
  gatherMs?: number;
  /** The most items of one batch. */
  most?: number;
}

export interface Batcher<Item> {
  add(item: Item): void;
  /** Resolves when nothing waits or is in work. */
  idle(): Promise<void>;
}

/** What comes alone is worked on at once. What comes while batches are in work goes together in the next batch. */
export function createBatcher<Item>(options: BatcherOptions<Item>): Batcher<Item> {
  const { work, keyOf, atOnce = 1, slowAfterMs, gatherMs = 0, most = Number.POSITIVE_INFINITY } = options;
  const inWork = createInFlight();
  let waiting: Item[] = [];
  let counted = 0;
  let isNextSet = false;

  /** Begins after this turn of the event loop, so that all who come in it are together. */
  const beginSoon = () => {
    if (isNextSet || waiting.length === 0 || counted >= atOnce) return;
    isNextSet = true;
    const beginNext = () => {
      isNextSet = false;
      begin(takeNext());
      beginSoon();
    };
    if (gatherMs > 0) setTimeout(beginNext, gatherMs);
    else setImmediate(beginNext);
  };
  const begin = ([first, ...others]: Item[]) => {
    if (first === undefined) return;
    let counts = true;
    const makeRoom = () => {
      if (counts) counted--;
      counts = false;
      beginSoon();
    };
    counted++;
    const slow = slowAfterMs === undefined ? undefined : setTimeout(makeRoom, slowAfterMs);
    void inWork
      .add(work([first, ...others]))
      .finally(() => clearTimeout(slow))
      .then(makeRoom);
  };
  const takeNext = (): Item[] => {
    if (keyOf === undefined) return waiting.splice(0, most);
    const taken = new Map<string, Item>();
    waiting = waiting.filter((item) => {
      const key = keyOf(item);
      const stays = taken.size === most || taken.has(key);
      if (!stays) taken.set(key, item);
      return stays;
    });
    return [...taken].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
  };
  return {
    add: (item) => {
      waiting.push(item);
      beginSoon();
    },
    idle: async () => {
      while (waiting.length + inWork.count() > 0) await (inWork.count() > 0 ? inWork.idle() : nextTurn());
    },
  };
}
