import { z } from 'zod';
import { amount, currency } from './amount.ts';
import { developerListQuery } from './developer-lists.ts';
import { comparedUuid, uuid } from './ids.ts';
import { offsetPage } from './paging.ts';
import { periodicities } from './periodicities.ts';
import { wholeDay } from './reports.ts';
import { externalId, must, optional, requiredText, textOrNull, time } from './text.ts';
import { wholeNumberFrom } from './whole-number.ts';

export const subscriptionStatuses = ['PENDING', 'ACTIVE', 'PAST_DUE', 'PAUSED', 'CANCELLED', 'COMPLETED'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];
export const endReasons = ['MERCHANT', 'FIRST_CHARGE_FAILED', 'PAYMENT_FAILED', 'COMPLETED'] as const;
export type EndReason = (typeof endReasons)[number];
/** OPEN: will be charged, or tried again. FAILED: tried, and over. SKIPPED: over without a try, or begun while paused. */
export const periodStatuses = ['OPEN', 'PAID', 'FAILED', 'SKIPPED'] as const;
export type PeriodStatus = (typeof periodStatuses)[number];

export const SUBSCRIBED_RULE = 'give either amount or productId';
export const FIRST_BILLING_DATE_RULE = 'must be a day from today to a year from today';
/** The number of declines after which a period can no longer be charged by hand. */
export const MOST_DECLINES = 15;

/** Body of POST /subscription. `amount` comes out in centavos. */
export const subscriptionBody = z.strictObject({
  paymentMethodId: uuid,
  amount: optional(amount.meta({ description: SUBSCRIBED_RULE })),
  productId: optional(uuid.meta({ description: SUBSCRIBED_RULE })),
  currency: optional(currency),
  periodicity: z.enum(periodicities, must(`be one of ${periodicities.join(', ')}`)),
  firstBillingDate: optional(wholeDay.meta({ description: FIRST_BILLING_DATE_RULE })),
  totalPeriods: optional(wholeNumberFrom(1, 600)),
  description: optional(requiredText(500)),
  externalId,
});
export type SubscriptionBody = z.output<typeof subscriptionBody>;

/** Body of PATCH /subscription/{id}: an absent or null field stays as it is. */
export const subscriptionChanges = z.strictObject({
  paymentMethodId: optional(comparedUuid),
  amount: optional(amount),
  description: optional(requiredText(500)),
});

/** Body of POST /subscription/{id}/cancel. */
export const cancelSubscriptionBody = z.strictObject({
  atPeriodEnd: optional(z.boolean({ error: 'must be true or false' })),
});

/** The most subscriptions of one status or card that are counted. */
export const COUNTED_SUBSCRIPTIONS = 10_000;
export const SUBSCRIPTION_PAGE_RULE = `must be within the first ${COUNTED_SUBSCRIPTIONS} subscriptions where status or paymentMethodId is given`;

/** Query of GET /subscription. */
export const subscriptionQuery = z.strictObject({
  page: offsetPage.page.meta({ description: SUBSCRIPTION_PAGE_RULE }),
  pageSize: offsetPage.pageSize,
  status: z.enum(subscriptionStatuses).optional(),
  paymentMethodId: uuid.optional(),
});

/** Query of GET /developer/v1/subscription. */
export const developerSubscriptionQuery = developerListQuery(subscriptionStatuses).extend({
  paymentMethodId: uuid.optional(),
});

/** Query of GET /subscription/{id}/period. */
export const subscriptionPeriodQuery = z.strictObject(offsetPage);

const day = z.iso.date();
const periodNumber = z.int().min(1);

/** A subscription as its merchant sees it. `amount` in MXN pesos, days in Mexico City. */
export const subscription = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(subscriptionStatuses),
    description: textOrNull,
    paymentMethodId: z.uuid(),
    product: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(),
    amount: z.number().meta({ description: 'What the next period that was not tried yet is charged.' }),
    currency: z.literal('MXN'),
    periodicity: z.enum(periodicities),
    firstBillingDate: day,
    totalPeriods: z.int().nullable(),
    cancelAtPeriodEnd: z.boolean(),
    currentPeriod: z
      .strictObject({ number: periodNumber, startsOn: day, endsOn: day, status: z.enum(periodStatuses) })
      .nullable(),
    nextBillingAt: time.nullable().meta({ description: 'When the next period that was not tried yet is due.' }),
    nextRetryAt: time.nullable().meta({ description: 'When a period that is past due is tried again.' }),
    lastDeclineCode: textOrNull,
    endedAt: time.nullable(),
    endReason: z.enum(endReasons).nullable(),
    externalId: textOrNull,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Subscription' });
export type Subscription = z.output<typeof subscription>;

/** One period. `paymentId` is the payment that paid it, or else its latest attempt. */
export const subscriptionPeriod = z
  .strictObject({
    number: periodNumber,
    startsOn: day,
    endsOn: day,
    amount: z.number(),
    status: z.enum(periodStatuses),
    declines: z.int().min(0),
    paymentId: z.uuid().nullable(),
  })
  .meta({ id: 'SubscriptionPeriod' });
export type SubscriptionPeriod = z.output<typeof subscriptionPeriod>;
