import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Queries, Tx } from '@cobro/postgres/database.ts';
import type { SubscriptionRow } from './subscription.row.ts';
import { findSubscription, lockingOwn } from './subscription.store.ts';

interface Own {
  organizationId: string;
  id: string;
  now: Date;
}

/** Finds a subscription for its merchant only. @throws Refusal 404 */
export async function ownSubscription(queries: Queries, own: Own): Promise<SubscriptionRow> {
  const row = await findSubscription(queries, own);
  if (row === undefined) throw new Refusal('SUBSCRIPTION_NOT_FOUND');
  return row;
}

/** The same, locked until the transaction ends, so that changes, charges and the clock take turns. @throws Refusal 404 */
export async function lockOwnSubscription(tx: Tx, own: Own): Promise<SubscriptionRow> {
  tx.send(lockingOwn(own));
  return ownSubscription(tx, own);
}
