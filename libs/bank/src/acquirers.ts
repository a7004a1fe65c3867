import type { WatchedBank } from './bank-watch.ts';

/** The acquirers that a process uses, by the names that the deployment gives them. */
export interface Acquirers {
  names: readonly string[];
  /** One that this process does not know is away for ever: nothing goes to it, and nothing to another in its place. */
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
