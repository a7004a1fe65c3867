import { testCards } from '@cobro/contracts/test-cards.ts';
import { approvedCard, declinedCard } from '@cobro/testing/card-numbers.ts';
import { tappedCardBody } from '@cobro/testing/test-intents.ts';
import { anAddress, payer } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { registerMerchant, runCommand } from '../../dev/seed/run-command.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { type Answer, type Send, sendTo } from '../e2e/client.ts';
import type { Model } from './model.ts';
import type { Request } from './steps.ts';
import { dayOf, isoDay } from './days.ts';

/** A new merchant with two terminals at the real API, and the clock of all processes. */
export interface World {
  name: string;
  send(model: Model, request: Request): Promise<Answer>;
  /** A request with the merchant's key. */
  merchant: Send;
  /** A request without a key. */
  anybody: Send;
  /** Business time, in milliseconds. */
  now(): number;
  moveTo(time: number): Promise<void>;
}

export async function openWorld(stack: Stack): Promise<World> {
  const run = (...args: string[]) => runCommand(stack.databaseUrl, ...args);
  const name = `Tienda ${crypto.randomUUID()}`;
  const { id: partner } = await run('partners', 'create', '--name', 'Ventas');
  const { organizationId: id, apiKey } = await registerMerchant(run, name, partner);
  const terminals = await Promise.all(
    [0, 1].map(async (n) => {
      const serial = `SN-${n}-${id}`;
      return { serial, ...(await run('terminals', 'create', '--organization', id, '--serial', serial)) };
    }),
  );
  const merchant = sendTo(stack.baseUrl, apiKey);
  const anybody = sendTo(stack.baseUrl, undefined);
  let offsetMs = 0;
  const setClock = async (method: string, body?: string) => {
    const moved = await fetch(stack.clockUrl, { method, ...(body !== undefined && { body }) });
    ({ offsetMs } = (await moved.json()) as { offsetMs: number });
  };
  await setClock('DELETE');
  await knowOrganization(merchant, anybody);
  return {
    name,
    merchant,
    anybody,
    now: () => Date.now() + offsetMs,
    moveTo: (time) => setClock('PUT', JSON.stringify({ now: new Date(time).toISOString() })),
    send: (model, request) => {
      const { by, method, path, body } = httpOf(model, request, { terminals, now: Date.now() + offsetMs });
      if (by === 'merchant') return merchant(method, path, { body });
      if (by === 'payer') return anybody(method, path, { body, headers: { 'x-forwarded-for': anAddress() } });
      return anybody(method, path, { body, headers: { 'x-terminal-key': terminals[by]?.key ?? '' } });
    },
  };
}

/** A link cannot be shown until the organization's event has come to payments. */
async function knowOrganization(merchant: Send, anybody: Send): Promise<void> {
  const body = { amount: 1, description: 'To see whether links can be shown' };
  const link = await merchant('POST', '/one-time-payment', { body });
  const path = `/one-time-payment/${String(link.body['id'])}`;
  await until('links can be shown', async () => (await anybody('GET', path)).status === 200);
}

interface Http {
  /** A number is one of the two terminals. */
  by: 'merchant' | 'payer' | number;
  method: string;
  path: string;
  body?: object;
}

const idAt = (records: readonly { id: string | undefined }[], position: number): string =>
  records[position]?.id ?? 'none';
const pesos = (centavos: number | undefined) => (centavos === undefined ? undefined : centavos / 100);

interface Around {
  terminals: readonly { serial: string }[];
  now: number;
}

function httpOf(model: Model, request: Request, { terminals, now }: Around): Http {
  const post = (path: string, body?: object, by: Http['by'] = 'merchant'): Http => ({
    by,
    method: 'POST',
    path,
    ...(body && { body }),
  });
  const ofPayment = (position: number) => {
    const payment = model.payments[position];
    const card = payment !== undefined && 'card' in payment.origin ? idAt(model.cards, payment.origin.card) : 'none';
    return `/payment-method/${card}/payment/${idAt(model.payments, position)}`;
  };
  const intent = (position: number) => `/payment-intent/${idAt(model.intents, position)}`;
  if (request.op === 'createPromotion' || request.op === 'endPromotion') return aboutPromotion(model, request);
  switch (request.op) {
    case 'save':
      return post('/payment-method', { card: cardBody(request.number), externalId: request.externalId });
    case 'revoke':
      return { by: 'merchant', method: 'DELETE', path: `/payment-method/${idAt(model.cards, request.card)}` };
    case 'charge': {
      const { hold: holdFunds, externalId, amount } = request;
      const path = `/payment-method/${idAt(model.cards, request.card)}/payment`;
      return post(path, { amount: pesos(amount), holdFunds, externalId });
    }
    case 'capture':
      return post(`${ofPayment(request.payment)}/capture`, { amount: pesos(request.amount) });
    case 'release':
    case 'refund':
      return post(`${ofPayment(request.payment)}/${request.op}`);
    case 'createLink':
    case 'payLink':
    case 'cancelLink':
    case 'refundLink':
      return aboutLink(model, request);
    case 'subscribe':
    case 'cancelSubscription':
    case 'pauseSubscription':
    case 'resumeSubscription':
    case 'collect':
      return aboutSubscription(model, request, now);
    case 'createProduct':
    case 'changeProduct':
    case 'changeStock':
      return aboutProduct(model, request);
    case 'createPaymentLink':
    case 'linkProduct':
    case 'changePaymentLink':
    case 'payPaymentLink':
    case 'refundPaymentOfLink':
      return aboutPaymentLink(model, request);
    case 'createIntent': {
      const { terminal, amount, externalId } = request;
      const terminalCode = terminal === undefined ? undefined : terminals[terminal]?.serial;
      return post('/payment-intent', { amount: pesos(amount), currency: 'MXN', externalId, terminalCode });
    }
    case 'next':
      return { by: request.terminal, method: 'GET', path: '/terminal/v1/payment-intent/next?waitSeconds=0' };
    case 'tap': {
      const { attemptId, declined } = request;
      const path = `/terminal/v1${intent(request.intent)}/payment`;
      const card = tappedCardBody(cardAtTerminal(`${path} ${attemptId}`, declined));
      return post(path, { attemptId, card }, request.terminal);
    }
    case 'decline':
      return post(`/terminal/v1${intent(request.intent)}/decline`, {}, request.terminal);
    case 'cancelIntent':
    case 'refundIntent':
      return post(`${intent(request.intent)}/${request.op === 'cancelIntent' ? 'cancel' : 'refund'}`, {});
  }
}

function aboutLink(
  { links }: Model,
  request: Extract<Request, { op: 'createLink' | 'payLink' | 'cancelLink' | 'refundLink' }>,
): Http {
  const by = 'merchant';
  if (request.op === 'createLink') {
    const { amount, externalId } = request;
    const body = { amount: pesos(amount), description: 'Dos boletos', externalId };
    return { by, method: 'POST', path: '/one-time-payment', body };
  }
  const path = `/one-time-payment/${idAt(links, request.link)}`;
  if (request.op === 'cancelLink') return { by, method: 'PATCH', path: `${path}/cancel` };
  if (request.op === 'refundLink') return { by, method: 'POST', path: `${path}/refund` };
  const body = { card: cardBody(aCard()), billingInformation: payer };
  return { by: 'payer', method: 'POST', path: `${path}/payment`, body };
}

type AboutSubscription = Extract<
  Request,
  { op: 'subscribe' | 'cancelSubscription' | 'pauseSubscription' | 'resumeSubscription' | 'collect' }
>;

function aboutSubscription({ cards: saved, subscriptions }: Model, request: AboutSubscription, now: number): Http {
  const post = { by: 'merchant', method: 'POST' } as const;
  if (request.op === 'subscribe') {
    const { card, amount, externalId, periodicity } = request;
    const firstBillingDate = request.begins === undefined ? undefined : isoDay(dayOf(now) + 1);
    const asked = { paymentMethodId: idAt(saved, card), amount: pesos(amount) };
    return { ...post, path: '/subscription', body: { ...asked, periodicity, firstBillingDate, externalId } };
  }
  const path = `/subscription/${idAt(subscriptions, request.subscription)}`;
  switch (request.op) {
    case 'cancelSubscription':
      return { ...post, path: `${path}/cancel`, body: { atPeriodEnd: request.atPeriodEnd } };
    case 'pauseSubscription':
      return { ...post, path: `${path}/pause` };
    case 'resumeSubscription':
      return { ...post, path: `${path}/resume` };
    case 'collect':
      return { ...post, path: `${path}/period/${request.number}/charge` };
  }
}

function aboutProduct(
  { products }: Model,
  request: Extract<Request, { op: 'createProduct' | 'changeProduct' | 'changeStock' }>,
): Http {
  const by = 'merchant';
  if (request.op === 'createProduct') {
    const { price, stock, externalId } = request;
    return { by, method: 'POST', path: '/product', body: { name: 'Talavera', price: price / 100, stock, externalId } };
  }
  const path = `/product/${idAt(products, request.product)}`;
  if (request.op === 'changeStock') {
    const { change, externalId } = request;
    return { by, method: 'POST', path: `${path}/stock`, body: { change, externalId } };
  }
  return { by, method: 'PATCH', path, body: { price: request.price && request.price / 100, status: request.status } };
}

type AboutPaymentLink = Extract<
  Request,
  { op: 'createPaymentLink' | 'linkProduct' | 'changePaymentLink' | 'payPaymentLink' | 'refundPaymentOfLink' }
>;

function aboutPaymentLink({ paymentLinks, payments, products }: Model, request: AboutPaymentLink): Http {
  const by = 'merchant';
  const create = { by, method: 'POST', path: '/payment-link' } as const;
  if (request.op === 'createPaymentLink') {
    const { amount, maxPayments, externalId } = request;
    return { ...create, body: { amount: amount / 100, description: 'Clase de yoga', maxPayments, externalId } };
  }
  if (request.op === 'linkProduct') {
    const { product, maxPayments } = request;
    return { ...create, body: { productId: idAt(products, product), maxPayments } };
  }
  if (request.op === 'refundPaymentOfLink') {
    const { origin } = payments[request.linkPayment] ?? {};
    const link = origin !== undefined && 'paymentLink' in origin ? idAt(paymentLinks, origin.paymentLink) : 'none';
    return { by, method: 'POST', path: `/payment-link/${link}/payment/${idAt(payments, request.linkPayment)}/refund` };
  }
  const path = `/payment-link/${idAt(paymentLinks, request.paymentLink)}`;
  if (request.op === 'changePaymentLink') {
    const { amount, maxPayments, active } = request;
    return { by, method: 'PATCH', path, body: { amount: amount && amount / 100, maxPayments, active } };
  }
  const { attemptId, amount, declined } = request;
  const card = cardBody(cardOfTap(`${path} ${attemptId} ${declined}`, declined));
  const body = { attemptId, amount: pesos(amount ?? 0), card, billingInformation: payer };
  return { by: 'payer', method: 'POST', path: `${path}/payment`, body };
}

function aboutPromotion(
  { promotions }: Model,
  request: Extract<Request, { op: 'createPromotion' | 'endPromotion' }>,
): Http {
  const by = { by: 'merchant', method: 'POST' } as const;
  if (request.op === 'endPromotion') return { ...by, path: `/promotion/${idAt(promotions, request.promotion)}/end` };
  const { take } = request;
  const times = { startsAt: '2020-01-01T00:00:00Z', endsAt: '2090-01-01T00:00:00Z' };
  const body = { name: 'Buen Fin', businessTake: take, terms: [], ...times, externalId: `take-${take}` };
  return { ...by, path: '/promotion', body };
}

let cards = 0;
/** A new card number each time, because declines are limited per card. */
const aCard = () => approvedCard(++cards);

/** The receipt of a tap shows its card, so an approved tap uses a card that the model knows. */
const cardAtTerminal = (tap: string, declined: boolean) => (declined ? cardOfTap(tap, declined) : testCards.approved);

const tapped = new Map<string, string>();
/** A card for each tap; the same one if the tap is sent again. */
function cardOfTap(tap: string, declined: boolean): string {
  const number = tapped.get(tap) ?? (declined ? declinedCard : approvedCard)(++cards);
  tapped.set(tap, number);
  return number;
}
