import { differences } from './difference.ts';
import { type Findings, note, noFindings } from './findings.ts';
import { hoursOf } from './reconcile-day.ts';

/** A counter, and how many payments there are to count. */
export interface Counted {
  of: 'payment link' | 'product' | 'promotion';
  id: string;
  counted: bigint;
  made: bigint;
}

export interface CounterReconciliation extends Findings {
  day: string;
  counters: number;
}

/** Compares the counters of a day's payments with all the payments that they count. */
export async function reconcileCounters(
  countedIn: (hours: string[]) => Promise<Counted[]>,
  day: string,
): Promise<CounterReconciliation> {
  const found = { day, counters: 0, ...noFindings() };
  for (const { of, id, counted, made } of await countedIn(hoursOf(day))) {
    found.counters++;
    note(found, differences(id, `${of} ${id}`, [['state', 'the number of payments that it counts', counted, made]]));
  }
  return found;
}
