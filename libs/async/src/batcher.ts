import { setTimeout as sleep } from 'node:timers/promises';
import { createInFlight } from './in-flight.ts';

export interface BatcherOptions<Item> {
  /** Works on one batch. Must not reject. */
  work: (items: [Item, ...Item[]]) => Promise<void>;
  /** Items with one key never share a batch, and a batch is sorted by key. Without it, items keep the order in which they came. */
  keyOf?: (item: Item) => string;
  /** How many batches are under way at once; one unless given. */
  atOnce?: number;
  /** A batch that takes longer stops counting; without it all count. */
  slowAfterMs?: number;
  /** How long a batch waits for more items; not at all unless given. */
  gatherMs?: number;
  /** The most items of one batch. */
  most?: number;
}

export interface Batcher<Item> {
  add(item: Item): void;
  /** Resolves when nothing waits or is in work. */
  idle(): Promise<void>;
}

/** An item that comes alone is worked on at once. Items that come while batches are in work share the next batch. */
export function createBatcher<Item>(options: BatcherOptions<Item>): Batcher<Item> {
  const { work, keyOf, atOnce = 1, slowAfterMs, gatherMs = 0, most = Number.POSITIVE_INFINITY } = options;
  const inWork = createInFlight();
  let waiting: Item[] = [];
  let counted = 0;
  let isNextSet = false;

  /** Begins after this turn of the event loop, so that its items share a batch. */
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
      while (waiting.length + inWork.count() > 0) await (inWork.count() > 0 ? inWork.idle() : sleep(gatherMs));
    },
  };
}
