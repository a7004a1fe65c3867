import type { Subscription, SubscriptionPeriod } from '@cobro/contracts/subscriptions.ts';
import type { Language } from '@cobro/html/language.ts';
import type { Acting } from '../src/shell/frame.ts';
import { newSubscriptionPage, type NewSubscriptionView } from '../src/subscriptions/new-subscription-page.ts';
import { subscriptionActionPage, type SubscriptionActionView } from '../src/subscriptions/subscription-action-page.ts';
import { subscriptionPage, type SubscriptionView } from '../src/subscriptions/subscription-page.ts';
import { subscriptionsPage, type SubscriptionsView } from '../src/subscriptions/subscriptions-page.ts';
import type { Screen } from './payment-screens.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';

const subscription: Subscription = {
  id: ids.link,
  status: 'ACTIVE',
  description: 'Café de cada mes',
  paymentMethodId: ids.card,
  product: null,
  amount: 349,
  currency: 'MXN',
  periodicity: 'MONTHLY',
  firstBillingDate: '2026-08-31',
  totalPeriods: 12,
  cancelAtPeriodEnd: false,
  currentPeriod: { number: 3, startsOn: '2026-10-31', endsOn: '2026-11-29', status: 'PAID' },
  nextBillingAt: '2026-11-30T14:00:00.000Z',
  nextRetryAt: null,
  lastDeclineCode: null,
  endedAt: null,
  endReason: null,
  externalId: 'contrato-77',
  createdAt: '2026-08-31T18:04:00.000Z',
  updatedAt: '2026-10-31T14:00:01.000Z',
};
const pastDue: Partial<Subscription> = {
  status: 'PAST_DUE',
  currentPeriod: { number: 3, startsOn: '2026-10-31', endsOn: '2026-11-29', status: 'OPEN' },
  nextRetryAt: '2026-11-07T14:00:00.000Z',
  lastDeclineCode: 'insufficient_funds',
};
const cancelled: Partial<Subscription> = {
  status: 'CANCELLED',
  currentPeriod: null,
  nextBillingAt: null,
  lastDeclineCode: 'stolen_card',
  endedAt: '2026-11-14T14:00:00.000Z',
  endReason: 'PAYMENT_FAILED',
};

const period = (over: Partial<SubscriptionPeriod>): SubscriptionPeriod => ({
  number: 1,
  startsOn: '2026-08-31',
  endsOn: '2026-09-29',
  amount: 349,
  status: 'PAID',
  declines: 0,
  paymentId: ids.payment,
  ...over,
});
const open = period({ number: 3, startsOn: '2026-10-31', endsOn: '2026-11-29', status: 'OPEN', declines: 2 });
const rungs = [
  open,
  period({ number: 2, startsOn: '2026-09-30', endsOn: '2026-10-30', status: 'SKIPPED', paymentId: null }),
  period({ status: 'FAILED', declines: 5, amount: 999_999_999.99 }),
];

/** The screens of subscriptions, by a name for tests and pictures. */
export function subscriptionScreens(language: Language): Record<string, Screen> {
  const list = (view: SubscriptionsView, acting: Partial<Acting> = {}): Screen => {
    const frame = sampleFrame(language, '/subscriptions', acting);
    return { frame, content: subscriptionsPage(frame, view) };
  };
  const card = { card: { lastFourDigits: '4242', networkType: 'VISA' } };
  const detail = (over: Partial<Subscription>, view: Partial<SubscriptionView> = {}): Screen => {
    const frame = sampleFrame(language, `/subscriptions/${ids.link}`);
    const periods = { rows: [period({})], page: 1, hasMore: false };
    const shown = { subscription: { ...subscription, ...over }, card, periods, done: null, ...view };
    return { frame, content: subscriptionPage(frame, shown) };
  };
  const form = (over: Partial<NewSubscriptionView>): Screen => {
    const frame = sampleFrame(language, '/subscriptions/new');
    const view = { formId: ids.key, typed: {}, wrong: [], problem: null, ...over };
    return { frame, content: newSubscriptionPage(frame, view) };
  };
  const act = (action: SubscriptionActionView['action'], over: Partial<SubscriptionActionView> = {}): Screen => {
    const frame = sampleFrame(language, `/subscriptions/${ids.link}/${action}`);
    return {
      frame,
      content: subscriptionActionPage(frame, { action, subscription, number: null, problem: null, ...over }),
    };
  };
  const nothing = { rows: [], page: 1, hasMore: false };
  const rows = [
    subscription,
    { ...subscription, ...pastDue, description: names.hostile, amount: 89_999.99 },
    { ...subscription, status: 'PAUSED' as const, nextBillingAt: null, description: null },
    { ...subscription, ...cancelled, description: names.long, amount: 999_999_999.99 },
  ];
  return {
    subscriptions: list({ status: null, found: { rows, page: 1, hasMore: true } }),
    'subscriptions-read-only': list(
      { status: 'ACTIVE', found: { rows, page: 2, hasMore: false } },
      { role: 'read-only' },
    ),
    'subscriptions-first': list({ status: null, found: nothing }),
    'subscriptions-none': list({ status: 'PAST_DUE', found: nothing }),
    'subscriptions-unavailable': list({ status: null, found: null }),
    'subscription-new': form({}),
    'subscription-new-wrong': form({
      typed: { paymentMethodId: names.hostile, amount: names.formula, totalPeriods: '601', description: names.long },
      wrong: ['paymentMethodId', 'amount', 'firstBillingDate', 'totalPeriods'],
    }),
    'subscription-new-declined': form({
      typed: { paymentMethodId: ids.card, amount: '349.00', periodicity: 'YEARLY' },
      problem: { kind: 'refused', code: 'CHARGE_DECLINED', status: 402, requestId: ids.key },
    }),
    subscription: detail({}, { done: 'created' }),
    'subscription-past-due': detail(pastDue, { periods: { rows: rungs, page: 1, hasMore: true } }),
    'subscription-ends': detail({ cancelAtPeriodEnd: true }, { done: 'cancel-at-end', card: null }),
    'subscription-ended': detail({ ...cancelled, description: names.hostile }, { periods: null }),
    'subscription-waiting': detail({ status: 'PENDING', currentPeriod: null }, { done: 'waiting' }),
    'subscription-cancel': act('cancel'),
    'subscription-resume': act('resume', { problem: { kind: 'lost', requestId: ids.key } }),
    'subscription-collect': act('collect', {
      number: 3,
      problem: { kind: 'refused', code: 'CHARGE_DECLINED', status: 402, requestId: ids.key },
    }),
  };
}
