import type { Settlers } from '@cobro/bank/journal.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import { settleSavedCard } from './cards/settle-saved-card.ts';
import type { PaymentRow } from './payments/payment.row.ts';
import { settleCharge } from './payments/settle-charge.ts';
import { settleRefund } from './payments/settle-refund.ts';

/**
 * What the ending of each operation of payments does to its subject. It is the same whether the call or an inquiry learned of the
 * ending.
 */
export const settlers = ({ clock, vaultKey }: { clock: Clock; vaultKey: Secret<Buffer> }): Settlers<PaymentRow> => ({
  save: (tx, operation, ending) => settleSavedCard(vaultKey, tx, operation, ending),
  charge: (tx, operation, ending) => settleCharge(clock, tx, operation, ending),
  hold: (tx, operation, ending) => settleCharge(clock, tx, operation, ending),
  refund: settleRefund,
});
