import type { WatchedBank } from './bank-watch.ts';

/** The acquirers that a process uses, by the names that the deployment gives them. */
export interface Acquirers {
  names: readonly string[];
  /** An acquirer that this process does not know is always away: nothing is sent to it, or to another one instead. */
  of(name: string): WatchedBank;
}

export function acquirersOf(banks: Readonly<Record<string, WatchedBank>>): Acquirers {
  const known = new Map(Object.entries(banks));
  return { names: [...known.keys()], of: (name) => known.get(name) ?? notConfigured };
}

const notConfigured: WatchedBank = {
  send: async () => ({ outcome: 'unreachable' }),
  inquire: async () => ({ outcome: 'unreachable' }),
  isAway: () => true,
  offers: () => undefined,
  wasAskedForOffers: () => true,
  isCalledLive: () => false,
  onReturn: () => {},
  close: async () => {},
};
