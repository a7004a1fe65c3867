import { notProcessed } from '@cobro/bank/bank.ts';
import type { OwnDeclineCode } from '@cobro/contracts/own-decline-code.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { Deps } from '../deps.ts';
import { paymentDeclined } from '../payments/payment-events.ts';
import { cancelPayment } from '../payments/payment.store.ts';
import { removingTap } from './tap.store.ts';

/** Cancels a locked payment for which nothing was sent. PaymentDeclined says why; intents gets it after the commit. */
export async function cancelTapped(deps: Deps, tx: Tx, paymentId: string, declineCode: OwnDeclineCode): Promise<void> {
  const row = await cancelPayment(tx, paymentId, declineCode, notProcessed(deps.clock.now()));
  tx.send(removingTap(paymentId));
  if (row === undefined) throw new Error('a payment that the bank may have been asked for cannot be cancelled');
  const event = paymentDeclined(row);
  deps.outbox.append(tx, event);
  tx.afterCommit(() => deps.inBackground(() => deps.handOver([event])));
}
