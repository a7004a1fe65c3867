/** Yearly from the day on which it was made, so that its second period never comes. `amount` in centavos. */
export interface Subscription {
  id: string | undefined;
  createdAt: string | undefined;
  card: number;
  amount: number;
  externalId: string | null;
  status: 'ACTIVE' | 'PAUSED' | 'CANCELLED';
  cancelAtPeriodEnd: boolean;
  endReason: 'MERCHANT' | 'FIRST_CHARGE_FAILED' | null;
  /** Of its first period. */
  payment: number;
}

/** The subscription of this saved card, but for days and times. */
export const showSubscription = (subscription: Subscription, paymentMethodId: string | undefined): object => ({
  id: subscription.id,
  status: subscription.status,
  description: null,
  paymentMethodId,
  product: null,
  amount: subscription.amount / 100,
  currency: 'MXN',
  periodicity: 'YEARLY',
  totalPeriods: null,
  cancelAtPeriodEnd: subscription.cancelAtPeriodEnd && subscription.status !== 'CANCELLED',
  endReason: subscription.endReason,
  externalId: subscription.externalId,
  createdAt: subscription.createdAt,
});
