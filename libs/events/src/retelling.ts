import type { Envelope } from '@cobro/contracts/events.ts';

/**
 * The state of an owner, told again as the events that lead to it, by pages in the order of keys. Each event is like the one that was
 * told when the change came about, but for its id. What was read later may tell more than what was read before, and never less.
 */
export interface Retelling {
  /** Tells of up to `limit` subjects whose keys come after `after`. */
  page(after: string, limit: number): Promise<RetoldPage>;
  /** Tells of these subjects; of those that there are not, nothing. */
  of(keys: readonly string[]): Promise<Envelope[]>;
}

export interface RetoldPage {
  events: Envelope[];
  /** Of how many subjects the page tells, those without an event included. */
  subjects: number;
  /** The last key; undefined where no subject is left. */
  last: string | undefined;
}

/** Comes before every key. */
export const FIRST_KEY = '00000000-0000-0000-0000-000000000000';

/** Makes a retelling from how an owner's rows are found and what is told of them. */
export function retelling<Row>(rows: {
  after: (key: string, limit: number) => Promise<Row[]>;
  ofKeys: (keys: readonly string[]) => Promise<Row[]>;
  keyOf: (row: Row) => string;
  tell: (rows: Row[]) => Envelope[] | Promise<Envelope[]>;
}): Retelling {
  return {
    page: async (after, limit) => {
      const found = await rows.after(after, limit);
      const last = found.length < limit ? undefined : found.at(-1);
      return {
        events: await rows.tell(found),
        subjects: found.length,
        last: last === undefined ? undefined : rows.keyOf(last),
      };
    },
    of: async (keys) => rows.tell(await rows.ofKeys(keys)),
  };
}
