import { appendToOutbox } from '@cobro/events/outbox.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { intentSuperseded } from '../intents/intent-events.ts';
import { giveUpCharging } from '../intents/payment-intent.store.ts';
import { endAttempt, type OpenAttempt } from './attempt.store.ts';
import { tellWaiting } from './notices.ts';

/**
 * Declines an attempt whose IntentPaymentRequested was lost on its way to payments. Only for one that is over and that payments does
 * not know: from then on payments would decline it as well, because its time to be charged has passed. False where it has ended
 * meanwhile.
 */
export const giveUpAttempt = (db: Database, attempt: OpenAttempt): Promise<boolean> =>
  db.inTransaction(async (tx) => {
    const row = await giveUpCharging(tx, attempt, new Date());
    if (row === undefined) return false;
    const { paymentId } = attempt;
    endAttempt(tx, { paymentId, status: 'DECLINED', operationCode: null, declineCode: 'not_processed' });
    if (row.status === 'CANCELLED') appendToOutbox(tx, intentSuperseded(row));
    tellWaiting(tx, row);
    return true;
  });
