import { testCards } from '@cobro/contracts/test-cards.ts';
import fc from 'fast-check';
import type { Periodicity } from './subscription.ts';

/** A request that a merchant, a payer or a terminal sends. Records are named by their position in the model's lists. */
export type Request =
  | { op: 'save'; number: string; externalId: string | null }
  | { op: 'revoke'; card: number }
  | { op: 'charge'; card: number; amount: number; hold: boolean; externalId: string | null }
  | { op: 'capture'; payment: number; amount: number | undefined }
  | { op: 'release' | 'refund'; payment: number }
  | {
      op: 'subscribe';
      card: number;
      amount: number;
      externalId: string | null;
      periodicity: Periodicity;
      begins: 'tomorrow' | undefined;
    }
  | { op: 'cancelSubscription'; subscription: number; atPeriodEnd: boolean }
  | { op: 'pauseSubscription' | 'resumeSubscription'; subscription: number }
  | { op: 'collect'; subscription: number; number: number }
  | { op: 'createLink'; amount: number; externalId: string | null }
  | { op: 'payLink'; link: number; declined: boolean }
  | { op: 'cancelLink' | 'refundLink'; link: number }
  | { op: 'createProduct'; price: number; stock: number | null; externalId: string | null }
  | { op: 'changeProduct'; product: number; price: number | null; status: 'ACTIVE' | 'ARCHIVED' | null }
  | { op: 'changeStock'; product: number; change: number; externalId: string | null }
  | { op: 'createPaymentLink'; amount: number; maxPayments: number | null; externalId: string | null }
  | { op: 'linkProduct'; product: number; maxPayments: number | null }
  | {
      op: 'changePaymentLink';
      paymentLink: number;
      amount: number | null;
      maxPayments: number | null;
      active: boolean | null;
    }
  /** With a null amount, the amount that the page shows is sent. */
  | { op: 'payPaymentLink'; paymentLink: number; amount: number | null; declined: boolean; attemptId: string }
  | { op: 'refundPaymentOfLink'; linkPayment: number }
  /** `take` is its businessTake in whole percent, and its identity: sent again, it is the same request. */
  | { op: 'createPromotion'; take: number }
  | { op: 'endPromotion'; promotion: number }
  | { op: 'createIntent'; terminal: number | undefined; amount: number; externalId: string }
  | { op: 'next'; terminal: number }
  | { op: 'tap'; terminal: number; intent: number; declined: boolean; attemptId: string }
  | { op: 'decline'; terminal: number; intent: number }
  | { op: 'cancelIntent' | 'refundIntent'; intent: number };

/**
 * A request whose records are any numbers (`pick`), which stand for existing records. So a sequence of steps fits any history, also after
 * it was shortened.
 */
export type Ask = { [R in Request as R['op']]: R }[Request['op']];

export type Step =
  | { kind: 'ask'; ask: Ask }
  /** Two requests at once. */
  | { kind: 'both'; asks: [Ask, Ask] }
  /** The same request as the last one that was sent. */
  | { kind: 'again' }
  /** Moves the clock by hours, or to shortly before or after the end of a hold's window. */
  | { kind: 'pass'; hours: number }
  | { kind: 'toWindowEnd'; payment: number; seconds: number }
  /** Or of a subscription's next renewal, retry or end. */
  | { kind: 'toRenewal'; subscription: number; seconds: number };

const pick = fc.nat(1_000);
const amount = fc.constantFrom(99, 10_000, 25_050, 123_456);
const externalId = fc.option(fc.constantFrom('e-1', 'e-2', 'e-3'), { freq: 2 });
const mostPayments = fc.option(fc.constantFrom(1, 2, 5), { nil: null });
const terminal = fc.nat(1);

const { approved, declined, captureDeclined, refundDeclined } = testCards;
const number = fc.constantFrom(approved, approved, declined, captureDeclined, refundDeclined);

const asks: Record<Ask['op'], { weight: number; arbitrary: fc.Arbitrary<Ask> }> = {
  save: { weight: 3, arbitrary: fc.record({ op: fc.constant('save'), number, externalId }) },
  revoke: { weight: 1, arbitrary: fc.record({ op: fc.constant('revoke'), card: pick }) },
  charge: {
    weight: 8,
    arbitrary: fc.record({ op: fc.constant('charge'), card: pick, amount, hold: fc.boolean(), externalId }),
  },
  capture: {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('capture'),
      payment: pick,
      amount: fc.option(fc.constantFrom(0, 1, 99, 5_000, 10_000, 200_000), { nil: undefined }),
    }),
  },
  release: { weight: 3, arbitrary: fc.record({ op: fc.constant('release'), payment: pick }) },
  refund: { weight: 4, arbitrary: fc.record({ op: fc.constant('refund'), payment: pick }) },
  subscribe: {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('subscribe'),
      card: pick,
      amount,
      externalId,
      periodicity: fc.constantFrom('WEEKLY', 'WEEKLY', 'YEARLY'),
      begins: fc.constantFrom('tomorrow', undefined),
    }),
  },
  cancelSubscription: {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('cancelSubscription'), subscription: pick, atPeriodEnd: fc.boolean() }),
  },
  pauseSubscription: {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('pauseSubscription'), subscription: pick }),
  },
  resumeSubscription: {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('resumeSubscription'), subscription: pick }),
  },
  collect: {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('collect'), subscription: pick, number: fc.constantFrom(1, 2) }),
  },
  createLink: { weight: 3, arbitrary: fc.record({ op: fc.constant('createLink'), amount, externalId }) },
  payLink: { weight: 4, arbitrary: fc.record({ op: fc.constant('payLink'), link: pick, declined: fc.boolean() }) },
  cancelLink: { weight: 1, arbitrary: fc.record({ op: fc.constant('cancelLink'), link: pick }) },
  refundLink: { weight: 2, arbitrary: fc.record({ op: fc.constant('refundLink'), link: pick }) },
  createProduct: {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('createProduct'),
      price: amount,
      stock: fc.option(fc.constantFrom(0, 1, 5), { nil: null }),
      externalId,
    }),
  },
  changeProduct: {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('changeProduct'),
      product: pick,
      price: fc.option(amount, { nil: null }),
      status: fc.option(fc.constantFrom('ACTIVE', 'ARCHIVED'), { nil: null }),
    }),
  },
  changeStock: {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('changeStock'),
      product: pick,
      change: fc.constantFrom(-3, -1, 1, 4),
      externalId,
    }),
  },
  createPaymentLink: {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('createPaymentLink'), amount, maxPayments: mostPayments, externalId }),
  },
  linkProduct: {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('linkProduct'), product: pick, maxPayments: mostPayments }),
  },
  changePaymentLink: {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('changePaymentLink'),
      paymentLink: pick,
      amount: fc.option(amount, { nil: null, freq: 1 }),
      maxPayments: mostPayments,
      active: fc.option(fc.constantFrom(true, true, false), { nil: null }),
    }),
  },
  payPaymentLink: {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('payPaymentLink'),
      paymentLink: pick,
      amount: fc.option(amount, { nil: null, freq: 1 }),
      declined: fc.boolean(),
      attemptId: fc.oneof(
        fc.constantFrom('0199c1d2-0000-7000-8000-000000000001', '0199c1d2-0000-7000-8000-000000000002'),
        fc.uuid({ version: 7 }),
      ),
    }),
  },
  refundPaymentOfLink: {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('refundPaymentOfLink'), linkPayment: pick }),
  },
  createPromotion: {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('createPromotion'), take: fc.integer({ min: 1, max: 8 }) }),
  },
  endPromotion: { weight: 1, arbitrary: fc.record({ op: fc.constant('endPromotion'), promotion: pick }) },
  createIntent: {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('createIntent'),
      terminal: fc.option(terminal, { nil: undefined }),
      amount,
      externalId: fc.oneof(fc.constantFrom('i-1', 'i-2'), fc.uuid(), fc.uuid()),
    }),
  },
  next: { weight: 3, arbitrary: fc.record({ op: fc.constant('next'), terminal }) },
  tap: {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('tap'),
      terminal,
      intent: pick,
      declined: fc.boolean(),
      attemptId: fc.uuid(),
    }),
  },
  decline: { weight: 1, arbitrary: fc.record({ op: fc.constant('decline'), terminal, intent: pick }) },
  cancelIntent: { weight: 1, arbitrary: fc.record({ op: fc.constant('cancelIntent'), intent: pick }) },
  refundIntent: { weight: 2, arbitrary: fc.record({ op: fc.constant('refundIntent'), intent: pick }) },
};

const ask = fc.oneof(...Object.values(asks));
/** Two requests about the same records, if both name any. */
const both = fc.tuple(ask, ask).map(([first, second]): [Ask, Ask] => {
  const named = Object.fromEntries(
    Object.entries(first).filter(
      ([field, value]) =>
        value !== undefined &&
        [
          'card',
          'payment',
          'link',
          'intent',
          'product',
          'paymentLink',
          'promotion',
          'subscription',
          'terminal',
        ].includes(field),
    ),
  );
  const shared = Object.fromEntries(Object.entries(named).filter(([field]) => field in second));
  return [first, { ...second, ...shared }];
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 60, arbitrary: fc.record({ kind: fc.constant('ask' as const), ask }) },
  { weight: 20, arbitrary: fc.record({ kind: fc.constant('both' as const), asks: both }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('again' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), hours: fc.constantFrom(1, 25, 100) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('toWindowEnd' as const),
      payment: pick,
      seconds: fc.constantFrom(-60, 1, 60),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('toRenewal' as const),
      subscription: pick,
      seconds: fc.constantFrom(-60, 1, 1, 60),
    }),
  },
);

/** A card is saved first, because nothing can be charged without one. */
const firstStep: Step = { kind: 'ask', ask: { op: 'save', number: approved, externalId: null } };

export const stepsOf = (count: number): fc.Arbitrary<Step[]> =>
  fc.array(step, { minLength: count, maxLength: count }).map((steps) => [firstStep, ...steps]);
