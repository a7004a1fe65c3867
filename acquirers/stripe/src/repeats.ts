import { type Ending, unknown } from './answer.ts';
import type { Deps } from './deps.ts';
import { commitRepeating, type Operation, sentForHours } from './operation.store.ts';

/** Stripe forgets a key after a day at the earliest. After this a repeat could do it again, so nothing is repeated. */
export const REPEATED_FOR_HOURS = 23;

/** How a request to Stripe ended. `needsFreshKey`: Stripe may answer each repeat under the key with the same failure. */
export type Sent = Ending & { needsFreshKey?: boolean };
export const keyUsedUp: Sent = { ...unknown, needsFreshKey: true };

/** Stripe's key of a capture, void or refund. */
export const stripeKeyOf = ({ key, kind, keysUsed }: Operation): string =>
  keysUsed === 0 ? `${key}:${kind}` : `${key}:${kind}:${keysUsed}`;

/**
 * Sends an operation again under its key of Stripe, and if Stripe fails, once more under a fresh key. `lookAgain` says whether that
 * is safe. Two replicas never use up the same key. A process that dies in between leaves a key that was not sent.
 */
export async function repeat(
  deps: Deps,
  operation: Operation,
  {
    send,
    lookAgain,
  }: { send: (operation: Operation) => Promise<Sent>; lookAgain: () => Promise<Ending | 'may be sent afresh'> },
): Promise<Ending> {
  const { db } = deps;
  const { key, keysUsed } = operation;
  if ((await sentForHours(db, key)) >= REPEATED_FOR_HOURS) return unknown;
  if (!(await commitRepeating(db, operation, keysUsed))) return unknown;
  const sent = await send(operation);
  if (sent.needsFreshKey !== true) return sent;
  const seen = await lookAgain();
  if (seen !== 'may be sent afresh') return seen;
  const fresh = { ...operation, keysUsed: keysUsed + 1 };
  return (await commitRepeating(db, operation, fresh.keysUsed)) ? send(fresh) : unknown;
}
