import { setTimeout as sleep } from 'node:timers/promises';
import { backOff } from '@cobro/async/time-limit.ts';
import { findOpenOperation } from '@cobro/bank/journal.store.ts';
import type { Deps } from './deps.ts';
import { callIsRunning } from './payments/payment.rules.ts';

const WAIT_MS = 2_000;
/** Backoff between looks, because many requests may wait for the same one and each look takes a connection. */
const pauseAfter = backOff(50, 250);

/** Until when (a `Date.now()` value) a request waits for an earlier one with its externalId. */
export const waitUntil = () => Date.now() + WAIT_MS;

/**
 * Returns the row of the first request once its call to the bank has ended or timed out; 'running' if it still runs at
 * `until`. Holds no database connection while it waits.
 */
export async function endOfFirstAttempt<Row extends { id: string; status: string } | undefined>(
  deps: Deps,
  look: () => Promise<Row>,
  until: number,
): Promise<Row | 'running'> {
  for (let looks = 0; ; looks++) {
    const row = await look();
    if (row?.status !== 'PENDING') return row;
    const open = await findOpenOperation(deps.db, row.id);
    if (open !== undefined && !callIsRunning(open, deps.callTimeoutMs)) return row;
    if (Date.now() > until) return 'running';
    await sleep(pauseAfter(looks));
  }
}
