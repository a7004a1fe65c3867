import type { Settlers } from '@cobro/bank/journal.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import { settleSavedCard } from './cards/settle-saved-card.ts';
import type { PaymentRow } from './payments/payment.row.ts';
import { settleCharge } from './payments/settle-charge.ts';
import { settleRefund } from './payments/settle-refund.ts';

/**
 * What the ending of each operation of payments does to its subject. It is the same whether the call or an inquiry learned of the
 * ending.
 */
export const settlers = ({ clock, vaultKeys }: { clock: Clock; vaultKeys: KeyRing }): Settlers<PaymentRow> => ({
  save: (tx, operation, ending) => settleSavedCard(vaultKeys, tx, operation, ending),
  charge: (tx, operation, ending) => settleCharge(clock, tx, operation, ending),
  hold: (tx, operation, ending) => settleCharge(clock, tx, operation, ending),
  refund: settleRefund,
});
