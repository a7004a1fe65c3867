import { z } from 'zod';
import { envelope, MOST_IN_BUNCH } from '../events.ts';
import { holdAnswer, holdEnding, holdEndings, liveCallsAnswer } from '../hold-questions.ts';
import { comparedUuid, idParams, uuid } from '../ids.ts';
import {
  acquirerAnswer,
  intentAnswer,
  intentPaymentAnswer,
  salespersonAnswer,
  tappedPaymentAnswer,
} from '../intent-questions.ts';
import { limit, repeatable } from '../paging.ts';
import { holdOperations, unansweredOfHolds } from '../payment-timeline.ts';
import type { RouteContract } from '../route.ts';

/** For questions between services. A merchant's request waits for nearly all of them. */
const QUESTION_MS = 3_000;

/** holds asks this if it lacks the hold, or has it with another card; webhooks if it lacks the event of its placing. */
export const askForHold = {
  method: 'GET',
  path: '/internal/payments/:id',
  who: 'service',
  service: 'payments',
  lane: 'read',
  timeLimitMs: QUESTION_MS,
  summary: 'Whether this payment is a hold, of this card where one is named',
  params: idParams('id'),
  query: z.strictObject({ organizationId: z.uuid(), paymentMethodId: comparedUuid.optional() }),
  answers: { 200: { means: 'The event of its placing, or why there is none.', json: holdAnswer } },
  refusals: [],
} as const satisfies RouteContract;

/** payments asks this before it refuses a refund because its copy of the hold says HELD. */
export const askForHoldEnding = {
  method: 'GET',
  path: '/internal/holds/:id',
  who: 'service',
  service: 'holds',
  lane: 'read',
  timeLimitMs: QUESTION_MS,
  summary: 'How this hold ended, or what is open of it at the bank',
  params: idParams('id'),
  answers: { 200: { means: 'The event of its end, and the open operation.', json: holdEnding } },
  refusals: [],
} as const satisfies RouteContract;

/** payments asks this before it shows payments as HELD, while it may have missed a hand-over. */
export const askForHoldEndings = {
  method: 'GET',
  path: '/internal/hold-endings',
  who: 'service',
  service: 'holds',
  lane: 'read',
  timeLimitMs: QUESTION_MS,
  summary: 'How these holds ended, and whether payments has missed the end of any hold',
  query: z.strictObject({ id: repeatable(uuid) }),
  answers: { 200: { means: 'The events of their ends.', json: holdEndings } },
  refusals: [],
} as const satisfies RouteContract;

/** payments asks this for the timeline of a payment that was held. */
export const askForHoldOperations = {
  method: 'GET',
  path: '/internal/holds/:id/operations',
  who: 'service',
  service: 'holds',
  lane: 'read',
  timeLimitMs: QUESTION_MS,
  summary: 'What holds has asked of the bank about this hold',
  params: idParams('id'),
  answers: { 200: { means: 'The operations, in the order in which they were asked.', json: holdOperations } },
  refusals: [],
} as const satisfies RouteContract;

/** payments asks this for the list of operations that the bank has not answered. */
export const askForUnansweredOfHolds = {
  method: 'GET',
  path: '/internal/unanswered',
  who: 'service',
  service: 'holds',
  lane: 'read',
  timeLimitMs: QUESTION_MS,
  summary: 'What holds asked of the bank about an organization’s holds and had no answer to for a minute',
  query: z.strictObject({ organizationId: z.uuid(), limit }),
  answers: { 200: { means: 'How many there are, and the oldest.', json: unansweredOfHolds } },
  refusals: [],
} as const satisfies RouteContract;

/** holds asks this while it releases holds whose windows have closed, so that they make way for requests. */
export const askForLiveCalls = {
  method: 'GET',
  path: '/internal/live-calls',
  who: 'service',
  service: 'payments',
  lane: 'read',
  timeLimitMs: QUESTION_MS,
  summary: 'Whether requests have called the bank five times or more in the last five seconds',
  answers: { 200: { means: 'Whether they have, in the replica that answers.', json: liveCallsAnswer } },
  refusals: [],
} as const satisfies RouteContract;

/** intents asks this for what a cashier reads of an intent. */
export const askForPaymentOfIntent = {
  method: 'GET',
  path: '/internal/payment-intents/:id/payment',
  who: 'service',
  service: 'payments',
  lane: 'read',
  timeLimitMs: QUESTION_MS,
  summary: 'The latest payment made for this intent',
  params: idParams('id'),
  answers: { 200: { means: 'The payment, or null where there is none.', json: intentPaymentAnswer } },
  refusals: [],
} as const satisfies RouteContract;

/** intents asks this before a tapped card goes to a vault. */
export const askForAcquirer = {
  method: 'GET',
  path: '/internal/organizations/:id/acquirer',
  who: 'service',
  service: 'payments',
  lane: 'read',
  timeLimitMs: QUESTION_MS,
  summary: 'Whose vault gets the next card of this organization',
  params: idParams('id'),
  answers: { 200: { means: 'The name of the acquirer.', json: acquirerAnswer } },
  refusals: [],
} as const satisfies RouteContract;

/** intents asks this about an attempt whose outcome has not come within two seconds. */
export const askForTappedPayment = {
  method: 'GET',
  path: '/internal/tapped-payments/:id',
  who: 'service',
  service: 'payments',
  lane: 'read',
  timeLimitMs: QUESTION_MS,
  summary: 'What became of the payment of a tapped card',
  params: idParams('id'),
  answers: {
    200: { means: 'The event of its outcome, or whether payments knows the payment.', json: tappedPaymentAnswer },
  },
  refusals: [],
} as const satisfies RouteContract;

/** payments asks this before it refuses the refund of an intent that it has no payment for. */
export const askForIntent = {
  method: 'GET',
  path: '/internal/payment-intents/:id',
  who: 'service',
  service: 'intents',
  lane: 'read',
  timeLimitMs: QUESTION_MS,
  summary: 'Whether this organization has this intent',
  params: idParams('id'),
  query: z.strictObject({ organizationId: z.uuid() }),
  answers: { 200: { means: 'Whether it does.', json: intentAnswer } },
  refusals: [],
} as const satisfies RouteContract;

/** payments asks this when a payable object names a salesperson whom payments lacks. */
export const askForSalesperson = {
  method: 'GET',
  path: '/internal/salespeople/:id',
  who: 'service',
  service: 'intents',
  lane: 'read',
  timeLimitMs: QUESTION_MS,
  summary: 'Who this salesperson of the organization is',
  params: idParams('id'),
  query: z.strictObject({ organizationId: z.uuid() }),
  answers: {
    200: { means: 'The events of the person and the branch; none where there is nobody.', json: salespersonAnswer },
  },
  refusals: [],
} as const satisfies RouteContract;

/**
 * Every service that follows events takes them here too, before the broker delivers them (ADR 4). The frame implements the route.
 */
export const handOverEvent = {
  method: 'POST',
  path: '/internal/events',
  who: 'service',
  service: 'each that follows events',
  lane: 'money',
  timeLimitMs: QUESTION_MS,
  summary: 'Hand an event over to a service that follows it',
  body: { json: envelope },
  answers: {
    200: {
      means: 'What the event did: `duplicate` and `ignored` changed nothing.',
      json: z.strictObject({ result: z.enum(['applied', 'duplicate', 'ignored']) }),
    },
  },
  refusals: [],
} as const satisfies RouteContract;

/** For events that gathered while others were handed over. All of them are applied, or none. */
export const handOverBunch = {
  method: 'POST',
  path: '/internal/events/bunch',
  who: 'service',
  service: 'each that follows events',
  lane: 'money',
  timeLimitMs: QUESTION_MS,
  summary: 'Hand several events over to a service that follows them',
  body: { json: z.array(envelope).min(1).max(MOST_IN_BUNCH) },
  answers: {
    204: {
      empty: true,
      means: 'The events have been applied, now or before. Those that do not concern the service changed nothing.',
    },
  },
  refusals: [],
} as const satisfies RouteContract;
