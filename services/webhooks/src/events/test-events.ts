import { type DataOf, type Envelope, newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { OutwardDataOf, OutwardType } from '@cobro/contracts/outward-events.ts';
import { sampleOf } from '@cobro/contracts/outward-samples.ts';

/** When all these events happen. */
export const NOON = new Date('2026-11-20T18:00:00.000Z');

export function intentEvents(organizationId: string): Envelope[] {
  const paymentIntentId = newId();
  const payment = { id: newId(), status: 'CONFIRMED', operationCode: 100_007 } as const;
  const intent = {
    amount: 25_000n,
    currency: 'MXN' as const,
    externalId: 'till-1',
    redirectAppId: null,
    terminalId: newId(),
    createdAt: NOON,
    expiresAt: new Date(NOON.getTime() + 60_000),
    payment,
  };
  const data = { paymentIntentId, organizationId, intent };
  const of = { subject: paymentIntentId, sequence: 2, time: NOON };
  const bySomebody = { cancelledBy: 'MERCHANT', reason: null, cancelledAt: NOON } as const;
  const superseding = { terminalId: newId(), supersededBy: newId(), supersededAt: NOON };
  return [
    newEvent('IntentConfirmed', { ...of, data: { ...data, confirmedAt: NOON } }),
    newEvent('IntentCancelled', { ...of, data: { ...data, ...bySomebody } }),
    newEvent('IntentExpired', { ...of, data: { ...data, expiredAt: NOON } }),
    newEvent('IntentSuperseded', { ...of, data: { ...data, ...superseding } }),
  ];
}

export function linkEvents(organizationId: string): Envelope[] {
  const oneTimePaymentId = newId();
  const data: DataOf<'OneTimePaymentPaid'> = {
    oneTimePaymentId,
    organizationId,
    amount: 149_900n,
    currency: 'MXN',
    description: 'Dos boletos',
    externalId: 'booking-7',
    expiresAt: NOON,
    redirectUrl: null,
    homepageUrl: null,
    allowedTerms: [1, 3],
    billing: null,
    createdAt: NOON,
    endedAt: NOON,
  };
  const of = { subject: oneTimePaymentId, sequence: 2, time: NOON, data };
  return (['OneTimePaymentPaid', 'OneTimePaymentCancelled', 'OneTimePaymentExpired'] as const).map((type) =>
    newEvent(type, of),
  );
}

/** Every change of a subscription. */
export function subscriptionEvents(organizationId: string): Envelope[] {
  const subscriptionId = newId();
  const subscription = sampleOf('subscription.created', subscriptionId, NOON) as OutwardDataOf<'subscription.created'>;
  const of = { subject: subscriptionId, sequence: 1, time: NOON };
  const said = (change: DataOf<'SubscriptionChanged'>['change'], periodNumber: number | null = null) =>
    newEvent('SubscriptionChanged', {
      ...of,
      data: { subscriptionId, organizationId, change, periodNumber, subscription },
    });
  const once = (['created', 'cancelled', 'completed'] as const).map((change) => said(change));
  const ofPeriod = (['renewing', 'renewed', 'past_due', 'recovered'] as const).map((change) => said(change, 2));
  return [...once, ...ofPeriod];
}

/** A payment link and a product that ran out, and a promotion that was accepted and has ended. */
export function areaEvents(organizationId: string): Envelope[] {
  const shown = <T extends OutwardType>(type: T, id: string) => sampleOf(type, id, NOON) as OutwardDataOf<T>;
  const [link, product, promotion] = [newId(), newId(), newId()];
  const at = (subject: string) => ({ subject, sequence: 1, time: NOON });
  const ofPromotion = { promotionId: promotion, organizationId, promotion: shown('promotion.accepted', promotion) };
  const soldOut = (maxPayments: number) => ({
    paymentLinkId: link,
    organizationId,
    maxPayments,
    soldOutAt: NOON,
    link: shown('payment_link.sold_out', link),
  });
  const outOfStock = { productId: product, organizationId, unitsSold: 7, outOfStockAt: NOON };
  return [
    // The link sells out twice.
    ...[12, 20].map((max) => newEvent('PaymentLinkSoldOut', { ...at(link), data: soldOut(max) })),
    newEvent('ProductOutOfStock', {
      ...at(product),
      data: { ...outOfStock, product: shown('product.out_of_stock', product) },
    }),
    newEvent('PromotionAccepted', { ...at(promotion), data: { ...ofPromotion, acceptedAt: NOON } }),
    newEvent('PromotionEnded', { ...at(promotion), data: { ...ofPromotion, endedAt: NOON } }),
  ];
}
