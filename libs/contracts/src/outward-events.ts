import { hash } from 'node:crypto';
import { z } from 'zod';
import { developerPayment } from './developer-payments.ts';
import { oneTimePayment } from './one-time-payments.ts';
import { createdPaymentIntent } from './payment-intents.ts';
import { paymentLink } from './payment-links.ts';
import { paymentMethod } from './payment-methods.ts';
import { paymentSummary } from './payments.ts';
import { product } from './products.ts';
import { promotion } from './promotions.ts';
import { subscription } from './subscriptions.ts';
import { textOrNull, time } from './text.ts';
import { endpoint } from './webhook-endpoint.ts';

/** A payment as the developer API shows it, with the merchant's own id for it. */
const payment = developerPayment.extend({ externalId: textOrNull }).meta({ id: 'EventPayment' });
export type OutwardPayment = z.output<typeof payment>;

const declinedPayment = payment.extend({ declineCode: z.string() }).meta({ id: 'EventDeclinedPayment' });

/** An intent as its creation and its reads show it. `supersededBy` is the intent that was made for the same terminal. */
const intent = createdPaymentIntent
  .omit({ organizationId: true })
  .extend({
    redirectAppId: textOrNull,
    terminalId: z.uuid().nullable(),
    expired: z.boolean(),
    supersededBy: z.uuid().nullable(),
    paymentSummary: paymentSummary.nullable(),
  })
  .meta({ id: 'EventPaymentIntent' });
export type OutwardIntent = z.output<typeof intent>;

const soldOutLink = paymentLink.omit({ checkoutUrl: true }).meta({ id: 'EventPaymentLink' });
/** `periodNumber` is the period that the event is about. */
const ofPeriod = subscription.extend({ periodNumber: z.int().min(1) }).meta({ id: 'EventSubscriptionPeriod' });

/** Every outward event: what it is about, when it happens, and the shape of its `data`. */
export const outwardEvents = {
  'payment.confirmed': { object: 'payment', means: 'A charge, a link or a tap was paid.', data: payment },
  'payment.declined': {
    object: 'payment',
    means: 'The bank declined it; declineCode says why.',
    data: declinedPayment,
  },
  'payment.refunded': { object: 'payment', means: 'It was refunded in full.', data: payment },
  'hold.placed': { object: 'payment', means: 'Funds are held on the card.', data: payment },
  'hold.ending': {
    object: 'payment',
    means: 'Its last 24 hours have begun: capture it, or it is released.',
    data: payment,
  },
  'hold.captured': { object: 'payment', means: 'The hold, or a part of it, was captured.', data: payment },
  'hold.released': { object: 'payment', means: 'The merchant released the hold.', data: payment },
  'hold.expired': {
    object: 'payment',
    means: 'The hold was released after its last day, or when the network let go.',
    data: payment,
  },
  'one_time_payment.paid': { object: 'one_time_payment', means: 'Its link was paid.', data: oneTimePayment },
  'one_time_payment.cancelled': { object: 'one_time_payment', means: 'It was cancelled.', data: oneTimePayment },
  'one_time_payment.expired': {
    object: 'one_time_payment',
    means: 'Its time passed before it was paid.',
    data: oneTimePayment,
  },
  'payment_link.sold_out': {
    object: 'payment_link',
    means: 'All its maxPayments are paid. A greater maxPayments opens it again.',
    data: soldOutLink,
  },
  'product.out_of_stock': {
    object: 'product',
    means: 'No unit is left, and all that were sold are paid.',
    data: product,
  },
  'promotion.accepted': {
    object: 'promotion',
    means: 'Its sponsor agreed to bear its discount of the fee.',
    data: promotion,
  },
  'promotion.ended': { object: 'promotion', means: 'No payment that begins carries it any more.', data: promotion },
  'payment_intent.confirmed': { object: 'payment_intent', means: 'It was paid at a terminal.', data: intent },
  'payment_intent.cancelled': {
    object: 'payment_intent',
    means: 'The merchant or the terminal cancelled it.',
    data: intent,
  },
  'payment_intent.expired': { object: 'payment_intent', means: 'Its time passed before it was paid.', data: intent },
  'payment_intent.superseded': {
    object: 'payment_intent',
    means: 'Another intent was made for its terminal.',
    data: intent,
  },
  'payment_method.saved': { object: 'payment_method', means: 'A card was saved.', data: paymentMethod },
  'payment_method.expired': {
    object: 'payment_method',
    means: 'The last month of its card is over.',
    data: paymentMethod,
  },
  'payment_method.revoked': { object: 'payment_method', means: 'A saved card was revoked.', data: paymentMethod },
  'subscription.created': {
    object: 'subscription',
    means: 'It has begun. Where it begins today, its first charge was approved.',
    data: subscription,
  },
  'subscription.renewing': {
    object: 'subscription',
    means: 'The period is charged in three days, or sooner.',
    data: ofPeriod,
  },
  'subscription.renewed': { object: 'subscription', means: 'The period was charged.', data: ofPeriod },
  'subscription.past_due': {
    object: 'subscription',
    means: 'The period could not be charged; lastDeclineCode says why, nextRetryAt when it is tried again.',
    data: ofPeriod,
  },
  'subscription.recovered': {
    object: 'subscription',
    means: 'The period that was past due was charged.',
    data: ofPeriod,
  },
  'subscription.cancelled': { object: 'subscription', means: 'It ended; endReason says why.', data: subscription },
  'subscription.completed': { object: 'subscription', means: 'Its last period is over.', data: subscription },
  'webhook_endpoint.paused': {
    object: 'webhook_endpoint',
    means: 'It has failed for five days. What waits is sent when it is enabled again.',
    data: endpoint,
  },
  'webhook_endpoint.disabled': {
    object: 'webhook_endpoint',
    means: 'It answered 410, and gets nothing more.',
    data: endpoint,
  },
} as const satisfies Record<string, { object: string; means: string; data: z.ZodType }>;

export type OutwardType = keyof typeof outwardEvents;
export const outwardTypes = Object.keys(outwardEvents) as OutwardType[];
/** The `data` of an event of this type. */
export type OutwardDataOf<T extends OutwardType> = z.output<(typeof outwardEvents)[T]['data']>;

/** An event as merchants and partners read it. */
export interface OutwardEvent {
  id: string;
  type: OutwardType;
  createdAt: string;
  organizationId: string;
  object: { type: string; id: string };
  data: object;
}

const shapeOf = (type: OutwardType) => {
  const { object, data, means } = outwardEvents[type];
  return z
    .strictObject({
      id: z.uuid(),
      type: z.literal(type),
      createdAt: time,
      organizationId: z.uuid(),
      object: z.strictObject({ type: z.literal(object), id: z.uuid() }),
      data,
    })
    .meta({ description: means });
};
const [first, ...others] = outwardTypes.map(shapeOf) as [ReturnType<typeof shapeOf>];

export const outwardEvent = z
  .discriminatedUnion('type', [first, ...others])
  .meta({ id: 'Event' }) as unknown as z.ZodType<OutwardEvent, OutwardEvent>;

const families = [...new Set(outwardTypes.map((type) => `${type.split('.', 1).join('')}.*`))];
const patterns = [...outwardTypes, ...families];

/** One type, or all of a family: `payment.*`. */
export const typePattern = z.enum(patterns, { error: `must be one of ${patterns.join(', ')}` });

/** The types that match one of these patterns. */
export const typesIn = (asked: readonly string[]): OutwardType[] =>
  outwardTypes.filter((type) =>
    asked.some((one) => one === type || (one.endsWith('.*') && type.startsWith(one.slice(0, -1)))),
  );

/**
 * The id of the event of this type about this object: a UUID v8, the same however often the event is made. It begins with the first 48 bits
 * of the object's id, so that an object's events lie close together in an index. `number` distinguishes events that recur.
 */
export function outwardId(objectId: string, type: OutwardType, number?: number): string {
  const named = number === undefined ? `${objectId} ${type}` : `${objectId} ${type} ${number}`;
  const digest = hash('sha256', named);
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${objectId.slice(0, 13)}-8${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}
