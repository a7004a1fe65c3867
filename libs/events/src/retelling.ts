import type { Envelope } from '@cobro/contracts/events.ts';

/**
 * A producer's state as the events that lead to it, to be published again, by pages in the order of keys. Except for its id, each event
 * is like the one published when the change was made. A later read may have more events, never fewer.
 */
export interface Retelling {
  /** The events of up to `limit` subjects whose keys come after `after`. */
  page(after: string, limit: number): Promise<RetoldPage>;
  /** The events of these subjects, as far as they exist. */
  of(keys: readonly string[]): Promise<Envelope[]>;
}

export interface RetoldPage {
  events: Envelope[];
  /** The number of subjects on the page, including any without events. */
  subjects: number;
  /** The last key; undefined if no subject is left. */
  last: string | undefined;
}

/** Comes before every key. */
export const FIRST_KEY = '00000000-0000-0000-0000-000000000000';

/** Makes a retelling from functions that find a producer's rows and make events of them. */
export function retelling<Row>(rows: {
  after: (key: string, limit: number) => Promise<Row[]>;
  ofKeys: (keys: readonly string[]) => Promise<Row[]>;
  keyOf: (row: Row) => string;
  eventsOf: (rows: Row[]) => Envelope[] | Promise<Envelope[]>;
}): Retelling {
  return {
    page: async (after, limit) => {
      const found = await rows.after(after, limit);
      const last = found.length < limit ? undefined : found.at(-1);
      return {
        events: await rows.eventsOf(found),
        subjects: found.length,
        last: last === undefined ? undefined : rows.keyOf(last),
      };
    },
    of: async (keys) => rows.eventsOf(await rows.ofKeys(keys)),
  };
}
