import type { Permit } from '@cobro/bank/bank-permits.ts';
import { refuseNotOffered } from '@cobro/bank/offers.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { beginsAt, dueAt, retrySlots } from '@cobro/domain/billing-periods.ts';
import type { PaymentMethodRow } from '../cards/payment-method.row.ts';
import { refuseNotActive } from '../cards/payment-method.rules.ts';
import { findMethodToCharge } from '../cards/payment-method.store.ts';
import type { Deps } from '../deps.ts';
import type { Pricing } from '../fees/fee-channel.store.ts';
import { type AttemptEnd, makeAttempt } from '../payments/payment-attempt.ts';
import { paymentOfCard } from '../payments/payment-of-card.ts';
import { writingPaymentOfPeriod } from '../payments/payment.store.ts';
import { bankKeyOf } from './bank-key.ts';
import type { SubscriptionRow } from './subscription.row.ts';
import { amountOf, counts, NOT_COUNTED } from './subscription.rules.ts';
import { findTriedPeriods, lockingSubscription, trying } from './subscription.store.ts';

/**
 * Finds the card of a subscription, with what decides its fee. @throws Refusal 409 if the card is not ACTIVE, or the bank has
 * declined it for good
 */
export async function cardToCharge(
  deps: Deps,
  {
    organizationId,
    paymentMethodId,
    isHard = false,
  }: Pick<SubscriptionRow, 'organizationId' | 'paymentMethodId'> & Partial<Pick<SubscriptionRow, 'isHard'>>,
): Promise<PaymentMethodRow & Pricing> {
  if (isHard) throw new Refusal('PAYMENT_METHOD_NOT_ACTIVE');
  const at = deps.clock.now();
  const method = await findMethodToCharge(deps.db, organizationId, { id: paymentMethodId, at });
  refuseNotActive(method, at);
  return method;
}

/** What changes in a subscription whose period is tried. */
export const triedNow = (row: Pick<SubscriptionRow, 'firstBillingDate' | 'periodicity'>, number: number, at: Date) => ({
  latestNumber: number,
  attemptedAt: at,
  retriesEndAt: retrySlots(row, number).at(-1) ?? dueAt(row, number),
  periodEndsAt: beginsAt(row, number + 1),
});

/**
 * Charges an unpaid period, once, whoever asks. Returns undefined if the subscription has changed since it was read, or a charge of
 * it is under way. @throws Refusal if no fee channel fits, or the acquirer does not offer the charge
 */
export async function chargePeriod(
  deps: Deps,
  row: SubscriptionRow,
  method: PaymentMethodRow & Pricing,
  number: number,
  permit: Permit,
): Promise<AttemptEnd | undefined> {
  // Read after the subscription, whose version the claim compares.
  const [tried] = await findTriedPeriods(deps.db, row.id, number, number);
  const { description } = row;
  const isCounted = counts(row, number, deps.clock.now());
  const amount = amountOf(row, tried);
  const { payment, ...attempt } = paymentOf(deps, method, { subscription: row, number, amount, description });
  const id = bankKeyOf(row.id, number, 1 + (tried?.spentKeys ?? 0));
  return makeAttempt(
    deps,
    {
      ...attempt,
      id,
      counting: [{ key: row.id, locking: lockingSubscription(row.id) }],
      also: trying(row, isCounted ? triedNow(row, number, payment.createdAt) : undefined),
      note: isCounted ? undefined : NOT_COUNTED,
      key: row.id,
      writing: (rates, room) => writingPaymentOfPeriod({ ...payment, rates }, { subscription: row, id, room }),
    },
    permit,
  );
}

interface Charged {
  subscription: Pick<SubscriptionRow, 'id' | 'periodicity' | 'productId'>;
  number: number;
  amount: bigint;
  description: string | null;
}

/**
 * Makes a period's payment, and what all attempts to charge it share.
 * @throws Refusal if no fee channel fits, or the acquirer does not offer the charge
 */
export function paymentOf(
  deps: Deps,
  method: PaymentMethodRow & Pricing,
  { subscription: { id: subscriptionId, periodicity, productId }, number, ...charge }: Charged,
) {
  const origin = {
    source: 'SUBSCRIPTION',
    paymentMethodId: method.id,
    subscriptionId,
    periodNumber: number,
    periodicity,
  } as const;
  const payment = paymentOfCard(deps, method, { ...charge, origin, productId });
  refuseNotOffered(deps.journal.offers(method.acquirer), charge);
  return payment;
}
