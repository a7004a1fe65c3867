import type { Clock } from '@cobro/service-kit/clock.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import { settleSavedCard } from './cards/settle-saved-card.ts';
import { onLinkOutcome } from './one-time-payments/on-link-outcome.ts';
import { onPaymentLinkOutcome } from './payment-links/on-payment-link-outcome.ts';
import { onTapOutcome } from './payment-intents/on-tap-outcome.ts';
import { settleCharge } from './payments/settle-charge.ts';
import { settleRefund } from './payments/settle-refund.ts';
import { onSubscriptionOutcome } from './subscriptions/on-subscription-outcome.ts';

/** What a payment's outcome changes in its origin. */
const onOutcome = {
  SAVED_CARD: () => ({}),
  ONE_TIME_PAYMENT: onLinkOutcome,
  PAYMENT_LINK: onPaymentLinkOutcome,
  PAYMENT_INTENT: onTapOutcome,
  SUBSCRIPTION: onSubscriptionOutcome,
};

/** What the ending of each operation changes in its subject, whether the call or an inquiry learned of it. */
export const settlers = ({ clock, vaultKeys }: { clock: Clock; vaultKeys: KeyRing }) => {
  const charge = settleCharge(clock, onOutcome);
  return { save: settleSavedCard(vaultKeys), charge, hold: charge, refund: settleRefund };
};
