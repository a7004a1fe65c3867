import type { Ending, Operation, Settled } from '@cobro/bank/journal.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import type { Outbox } from '@cobro/events/outbox.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import { settleCharge } from './payments/settle-charge.ts';
import { settleRefund } from './payments/settle-refund.ts';
import { settleSavedCard } from './cards/settle-saved-card.ts';
import type { PaymentRow } from './payments/payment.rules.ts';

/** What each purpose's ending does to its subject; its events commit with it. */
export function createSettlement(deps: { clock: Clock; outbox: Outbox; vaultKey: Secret<Buffer> }) {
  const settle = async (tx: Tx, operation: Operation, ending: Ending): Promise<Settled<PaymentRow>> => {
    switch (operation.purpose) {
      case 'save':
        return { events: await settleSavedCard(deps.vaultKey, tx, operation, ending) };
      case 'charge':
      case 'hold':
        return settleCharge(deps.clock, tx, operation, ending);
      case 'refund':
        return settleRefund(tx, operation, ending);
      case 'capture':
      case 'release':
      case 'expire':
        throw new Error(`payments does not ${operation.purpose}`);
    }
  };
  return async (tx: Tx, operation: Operation, ending: Ending): Promise<Settled<PaymentRow>> => {
    const settled = await settle(tx, operation, ending);
    for (const event of settled.events) deps.outbox.append(tx, event);
    return settled;
  };
}
