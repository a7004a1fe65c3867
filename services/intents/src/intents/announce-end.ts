import type { Tx } from '@cobro/postgres/database.ts';
import type { Deps } from '../deps.ts';
import { endOfIntent } from './intent-events.ts';
import type { PaymentIntentRow } from './payment-intent.row.ts';

/** Publishes how the intent ended, with the change that ended it; nothing while it is PENDING. */
export function announceEnd({ outbox }: Deps, tx: Tx, row: PaymentIntentRow): void {
  const end = endOfIntent(row);
  if (end !== null) outbox.append(tx, end);
}
