import { isDeepStrictEqual } from 'node:util';
import type { Answer, Send } from '../e2e/client.ts';
import { isHidden, periodsBody, subscriptionBody } from './compare-subscriptions.ts';
import type { Shown } from './expected.ts';
import { type Body, learn, type Window } from './learn.ts';
import {
  at,
  type Intent,
  type Link,
  type Model,
  type Payment,
  showCancelledLink,
  showCard,
  showIntent,
  showLink,
  showLinkPayment,
  showPayment,
  showPaymentLink,
  showProduct,
  showPublicly,
  showRefund,
} from './model.ts';
import type { Candidate } from './predict.ts';
import type { Promotion } from './promotion.ts';
import type { World } from './world.ts';

/** The expected body of an answer. First the model learns from the answer what only answers can show. */
function bodyOf(model: Model, shown: Shown, received: Body, window: Window, now: number): object {
  switch (shown.as) {
    case 'card': {
      const card = at(model.cards, shown.card);
      learn(card, received, window);
      return showCard(card);
    }
    case 'payment':
    case 'refund': {
      const payment = at(model.payments, shown.payment);
      learn(payment, received, window);
      return shown.as === 'payment' ? showPayment(payment, now) : showRefund(payment);
    }
    case 'declined': {
      const payment = at(model.payments, shown.payment);
      const { code, message, declineCode, paymentId } = received;
      learn(payment, { id: paymentId }, window);
      return { code, message, declineCode, paymentId: payment.id };
    }
    case 'link':
    case 'cancelledLink':
    case 'paidLink':
      return linkBody(model, at(model.links, shown.link), shown.as, received, window);
    case 'intent':
    case 'nextIntent':
    case 'paidIntent':
      return intentBody(model, at(model.intents, shown.intent), shown.as, received, window);
    case 'product': {
      const product = at(model.products, shown.product);
      learn(product, received, window);
      return { ...showProduct(product), updatedAt: received['updatedAt'] };
    }
    case 'paymentLink': {
      const link = at(model.paymentLinks, shown.paymentLink);
      learn(link, received, window);
      const { checkoutUrl, updatedAt } = received;
      return { ...showPaymentLink(link, model), checkoutUrl, updatedAt };
    }
    case 'subscription':
      return subscriptionBody(model, at(model.subscriptions, shown.subscription), received, window);
    case 'declinedSubscription': {
      const subscription = at(model.subscriptions, shown.subscription);
      const payment = at(model.payments, subscription.payments[1]?.[0]);
      const { code, message, declineCode, paymentId, subscriptionId } = received;
      learn(payment, { id: paymentId }, window);
      learn(subscription, { id: subscriptionId }, window);
      return { code, message, declineCode, paymentId: payment.id, subscriptionId: subscription.id };
    }
    case 'promotion': {
      const promotion = at(model.promotions, shown.promotion);
      learn(promotion, received, window);
      // A payment at the same moment may or may not count.
      return { ...showPromotion(promotion, received), paymentsCount: received['paymentsCount'] };
    }
    case 'linkPayment': {
      const payment = at(model.payments, shown.payment);
      learn(payment, { id: received['id'], operationCode: received['operationCode'] }, window);
      return showLinkPayment(payment);
    }
    case 'nothing':
      return {};
    case 'success':
      return { success: true };
  }
}

const showPromotion = ({ id, take, ended, paymentsCount }: Promotion, received: Body): Body => ({
  ...received,
  id,
  status: ended ? 'ENDED' : 'ACTIVE',
  feeDiscount: 0,
  businessTake: take,
  paymentsCount,
});

function linkBody(
  { payments }: Model,
  link: Link,
  as: 'link' | 'cancelledLink' | 'paidLink',
  received: Body,
  window: Window,
): object {
  const { checkoutUrl, updatedAt, operationCode } = received;
  if (as === 'paidLink') {
    const payment = at(payments, link.paidBy);
    learn(payment, { operationCode }, window);
    const amount = { amount: link.amount / 100, currency: 'MXN' };
    return { id: link.id, status: 'CONFIRMED', ...amount, operationCode: payment.operationCode, redirectUrl: null };
  }
  learn(link, received, window);
  return as === 'link' ? { ...showLink(link), checkoutUrl, updatedAt } : { ...showCancelledLink(link), updatedAt };
}

function intentBody(
  { payments }: Model,
  intent: Intent,
  as: 'intent' | 'nextIntent' | 'paidIntent',
  received: Body,
  window: Window,
): object {
  const { externalId } = intent;
  const amount = { amount: intent.amount / 100, currency: 'MXN' };
  if (as === 'paidIntent') {
    const payment = at(payments, intent.latest);
    learn(payment, { id: received['paymentId'], operationCode: received['operationCode'] }, window);
    const { id: paymentId, operationCode } = payment;
    const card = { lastFourDigits: '4242', network: 'VISA' };
    return { id: intent.id, status: 'CONFIRMED', ...amount, paymentId, operationCode, card };
  }
  if (as === 'nextIntent') {
    const { organization, expiresAt } = received;
    // The intent may be created at the same time, and this answer is compared before the one to its creation.
    learn(intent, { id: received['id'], createdAt: received['createdAt'] }, window);
    const { id, createdAt } = intent;
    return { id, ...amount, externalId, redirectAppId: null, organization, createdAt, expiresAt };
  }
  learn(intent, received, window);
  const { id, status, createdAt } = intent;
  const { updatedAt, organizationId, terminalId } = received;
  const bound = intent.terminal === undefined ? {} : { terminalId };
  return { id, status, ...amount, externalId, organizationId, ...bound, createdAt, updatedAt };
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** How the answer differs from the expected one, in words; undefined if it does not. The models learn from it. */
export function difference(
  { expected, state }: Candidate['answers'][number],
  model: Model,
  answer: Answer,
  window: Window,
): string | undefined {
  const { status, code, shows, replayed = false } = expected;
  const { body } = answer;
  const isReplay = answer.headers.get('idempotent-replayed') === 'true';
  const summary = { status: answer.status, code: body['code'], replayed: isReplay };
  const wanted = { status, code: code ?? body['code'], replayed };
  if (!isDeepStrictEqual(summary, wanted)) {
    return `expected ${JSON.stringify(wanted)}, not ${JSON.stringify(summary)}: ${JSON.stringify(body)}`;
  }
  if (shows === undefined) return undefined;
  try {
    // The clock or another request may change the answer while the request is under way.
    const bodies = [state, model].flatMap((one) =>
      [window.to, window.from].map((now) => plain(bodyOf(one, shows, body, window, now))),
    );
    if (bodies.some((right) => isDeepStrictEqual(right, body))) return undefined;
    return `expected ${JSON.stringify(bodies[0])}, not ${JSON.stringify(body)}`;
  } catch (error) {
    return `${(error as Error).message}: ${JSON.stringify(body)}`;
  }
}

/** Reads every record and returns how it differs from the model, in words. The model learns what only reading shows. */
export async function differencesRead(model: Model, world: World, since: number): Promise<string[]> {
  const reads: Promise<string | undefined>[] = [
    ...model.cards.map((card) => read(world, since, `/payment-method/${card.id}`, () => showCard(card))),
    ...model.payments.flatMap((payment) => {
      if (!('card' in payment.origin) || isHidden(model, payment)) return [];
      const path = `/payment-method/${at(model.cards, payment.origin.card).id}/payment/${payment.id}`;
      return read(world, since, path, (received, now, window) => {
        learn(payment, received, window);
        return showPayment(payment, now);
      });
    }),
    ...model.links.map((link) => {
      const organization = { name: world.name, business: { websiteURL: null } };
      const show = (_: Body, now: number) => showPublicly(link, now, organization);
      return read(world, since, `/one-time-payment/${link.id}`, show, world.anybody);
    }),
    ...model.subscriptions.flatMap((subscription) => [
      read(world, since, `/subscription/${subscription.id}`, (received, _, window) =>
        subscriptionBody(model, subscription, received, window),
      ),
      read(world, since, `/subscription/${subscription.id}/period`, (received, now, window) =>
        periodsBody(model, subscription, received, now, window),
      ),
    ]),
    ...model.products.map((product) =>
      read(world, since, `/product/${product.id}`, ({ updatedAt }) => ({ ...showProduct(product), updatedAt })),
    ),
    ...model.paymentLinks.flatMap((link, position) => [
      read(world, since, `/payment-link/${link.id}`, ({ checkoutUrl, updatedAt }) => ({
        ...showPaymentLink(link, model),
        checkoutUrl,
        updatedAt,
      })),
      read(world, since, `/payment-link/${link.id}/payment`, (received, now, window) => {
        const isOfLink = ({ origin }: Payment) => 'paymentLink' in origin && origin.paymentLink === position;
        const payments = model.payments.filter(isOfLink);
        const items = (received['items'] as Body[]).map((item) => {
          const payment = payments.find(({ id }) => id === item['id']);
          if (payment === undefined) return {};
          learn(payment, item, window);
          return showPayment(payment, now);
        });
        return { count: payments.length, page: 1, pageSize: 100, items };
      }),
    ]),
    ...model.promotions.map((promotion) =>
      read(world, since, `/promotion/${promotion.id}`, (received) => showPromotion(promotion, received)),
    ),
    ...model.intents.map((intent) =>
      read(world, since, `/payment-intent/${intent.id}`, ({ paymentSummary }, now, window) => {
        const { operationCode } = (paymentSummary ?? {}) as Body;
        if (intent.latest !== undefined) learn(at(model.payments, intent.latest), { operationCode }, window);
        return showIntent(intent, model, now);
      }),
    ),
  ];
  return (await Promise.all(reads)).filter((found) => found !== undefined);
}

/** Reads one record; returns how it differs from what it should show, in words. */
async function read(
  world: World,
  since: number,
  path: string,
  show: (received: Body, now: number, window: Window) => object,
  send: Send = world.merchant,
): Promise<string | undefined> {
  const from = world.now();
  const { status, body } = await send('GET', path);
  const to = world.now();
  if (status !== 200) return `GET ${path} is ${status}: ${JSON.stringify(body)}`;
  try {
    const shown = [to, from].map((now) => plain(show(body, now, { from: since, to })));
    if (shown.some((one) => isDeepStrictEqual(one, body))) return undefined;
    return `GET ${path}: expected ${JSON.stringify(shown[0])}, not ${JSON.stringify(body)}`;
  } catch (error) {
    return `GET ${path}: ${(error as Error).message}`;
  }
}
