import { nothingShown } from '@cobro/testing/nothing-shown.ts';
import { BEHIND_UTC, DAY, dayOf, HOUR } from './days.ts';
import type { Subscription } from './subscription.ts';
import type { Promotion } from './promotion.ts';

/**
 * A merchant's records, written anew from the interface, so that the model shares no rule with the services. A field of a payment that
 * the model never sends is null. Amounts are centavos, times are milliseconds since 1970 or the ISO text of an answer.
 */
export interface Model {
  cards: Card[];
  payments: Payment[];
  links: Link[];
  intents: Intent[];
  products: Product[];
  paymentLinks: PaymentLink[];
  subscriptions: Subscription[];
  promotions: Promotion[];
  /** By externalId. */
  stockChanges: Record<string, { product: number; change: number }>;
  /** Taps that reached the bank, by attemptId: a repeated one gets the same answer. */
  taps: Record<string, { payment: number; declined: boolean }>;
  /** Attempts to pay payment links that reached the bank, by the link's position and the attemptId. */
  attempts: Record<string, { payment: number; declined: boolean }>;
}

/** `undefined` until an answer has shown it; from then on it never changes. */
type KnownLater = string | undefined;

export interface Card {
  id: KnownLater;
  createdAt: KnownLater;
  number: string;
  externalId: string | null;
  status: 'ACTIVE' | 'REVOKED';
}

/** What a payment was made for: the position in the model's list of cards, links, intents or payment links. */
export type Origin = { card: number } | { link: number } | { intent: number } | { paymentLink: number };

export interface Payment {
  origin: Origin;
  externalId: string | null;
  /** The amount of the charge's request. `amount` is what moved or will move. */
  asked: number;
  amount: number;
  heldAmount: number | null;
  status: 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
  id: KnownLater;
  createdAt: KnownLater;
  operationCode: number | undefined;
  heldAt: KnownLater | null;
  capturedAt: KnownLater | null;
  holdReleasedAt: KnownLater | null;
}

export interface Link {
  id: KnownLater;
  createdAt: KnownLater;
  amount: number;
  externalId: string | null;
  status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
  /** The payment that paid it. */
  paidBy: number | undefined;
}

export interface Intent {
  id: KnownLater;
  createdAt: KnownLater;
  amount: number;
  externalId: string;
  /** The terminal named at its creation, and the one that has it. */
  asked: number | undefined;
  terminal: number | undefined;
  status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
  /** The latest payment made for it. */
  latest: number | undefined;
}

export interface Product {
  id: KnownLater;
  createdAt: KnownLater;
  /** What the creation asked for. */
  firstPrice: number;
  firstStock: number | null;
  price: number;
  stock: number | null;
  externalId: string | null;
  status: 'ACTIVE' | 'ARCHIVED';
}

export interface PaymentLink {
  id: KnownLater;
  createdAt: KnownLater;
  /** What the creation asked for. */
  firstAmount: number | null;
  firstMost: number | null;
  /** Null if the product's price counts. */
  amount: number | null;
  product: number | null;
  maxPayments: number | null;
  paymentsCount: number;
  externalId: string | null;
  active: boolean;
}

/** The record at this position of its list. @throws if there is none */
export function at<T>(records: readonly T[], position: number | undefined): T {
  const found = position === undefined ? undefined : records[position];
  if (found === undefined) throw new Error(`the model has nothing at ${position}`);
  return found;
}

export const emptyModel = (): Model => ({
  cards: [],
  payments: [],
  links: [],
  intents: [],
  products: [],
  paymentLinks: [],
  subscriptions: [],
  promotions: [],
  stockChanges: {},
  taps: {},
  attempts: {},
});

export const LINK_LIFETIME = DAY;
const INTENT_LIFETIME = HOUR / 4;

/** 23:00 in Mexico City of the seventh natural day, counted from the day of placing. */
export const windowEnd = (heldAt: string): number => (dayOf(Date.parse(heldAt)) + 6) * DAY + 23 * HOUR + BEHIND_UTC;

/** Natural days on which a capture is still possible; a day is over at 23:00. */
const daysLeft = (heldAt: string, now: number) => Math.max(0, dayOf(Date.parse(heldAt)) + 7 - dayOf(now + HOUR));

const pesos = (centavos: number | null) => (centavos === null ? null : centavos / 100);

/** The payment of a saved card as GET, charge, capture and release show it at this time. */
export function showPayment(payment: Payment, now: number): object {
  const { id, status, externalId, createdAt, heldAt, capturedAt, holdReleasedAt } = payment;
  const end = typeof heldAt === 'string' ? windowEnd(heldAt) : undefined;
  return {
    ...nothingShown('merchant'),
    id,
    status,
    amount: pesos(payment.amount),
    currency: 'MXN',
    heldAmount: pesos(payment.heldAmount),
    externalId,
    createdAt,
    heldAt,
    capturedAt,
    holdReleasedAt,
    holdExpiresAt: end === undefined ? null : new Date(end).toISOString(),
    holdExpired: end !== undefined && now >= end,
    holdDaysRemaining: status === 'HELD' && typeof heldAt === 'string' ? daysLeft(heldAt, now) : null,
  };
}

export const showRefund = ({ id, status, amount, externalId }: Payment): object => ({
  id,
  status,
  amount: pesos(amount),
  currency: 'MXN',
  externalId,
});

export const showCard = ({ id, status, externalId, number, createdAt }: Card): object => ({
  id,
  status,
  externalId,
  card: { lastFourDigits: number.slice(-4), networkType: 'VISA' },
  createdAt,
});

/** The product without the time of its last change. */
export const showProduct = ({ id, price, stock, externalId, status, createdAt }: Product): object => ({
  id,
  name: 'Talavera',
  description: null,
  price: pesos(price),
  currency: 'MXN',
  status,
  stock,
  externalId,
  createdAt,
});

const productOf = (link: PaymentLink, { products }: Model) =>
  link.product === null ? undefined : at(products, link.product);

/** In centavos, now. */
export const priceOf = (link: PaymentLink, model: Model): number => link.amount ?? productOf(link, model)?.price ?? 0;

export function statusOf(link: PaymentLink, model: Model): 'INACTIVE' | 'SOLD_OUT' | 'ACTIVE' {
  const product = productOf(link, model);
  if (!link.active || product?.status === 'ARCHIVED') return 'INACTIVE';
  const isFull = link.maxPayments !== null && link.paymentsCount >= link.maxPayments;
  return isFull || product?.stock === 0 ? 'SOLD_OUT' : 'ACTIVE';
}

/** The payment link as its merchant sees it, without its address and the time of its last change. */
export function showPaymentLink(link: PaymentLink, model: Model): object {
  const product = productOf(link, model);
  return {
    id: link.id,
    status: statusOf(link, model),
    active: link.active,
    description: product === undefined ? 'Clase de yoga' : 'Talavera',
    amount: pesos(priceOf(link, model)),
    currency: 'MXN',
    product: product === undefined ? null : { id: product.id, name: 'Talavera' },
    allowedTerms: [1],
    maxPayments: link.maxPayments,
    salesperson: null,
    paymentsCount: link.paymentsCount,
    expiresAt: null,
    redirectUrl: null,
    homepageUrl: null,
    externalId: link.externalId,
    createdAt: link.createdAt,
  };
}

/** The payment as the payer of a payment link sees it. */
export const showLinkPayment = ({ id, status, amount, operationCode }: Payment): object => ({
  id,
  status,
  amount: pesos(amount),
  currency: 'MXN',
  operationCode,
  redirectUrl: null,
});

export const expired = ({ createdAt }: { createdAt: KnownLater }, lifetime: number, now: number): boolean =>
  createdAt !== undefined && now >= Date.parse(createdAt) + lifetime;

const endOfLink = ({ createdAt }: Link) =>
  createdAt === undefined ? undefined : new Date(Date.parse(createdAt) + LINK_LIFETIME).toISOString();

/** The link as the answer to its cancellation shows it, without the time of that. */
export const showCancelledLink = (link: Link): object => ({
  id: link.id,
  status: link.status,
  description: 'Dos boletos',
  amount: pesos(link.amount),
  currency: 'MXN',
  externalId: link.externalId,
  expiresAt: endOfLink(link),
  createdAt: link.createdAt,
});

/** The link as its merchant sees it, without its address and the time of its last change. */
export const showLink = (link: Link): object => ({
  ...showCancelledLink(link),
  redirectUrl: null,
  homepageUrl: null,
  allowedTerms: [1],
  billingInformation: null,
});

/** The link as its payer sees it. */
export function showPublicly(link: Link, now: number, organization: object): object {
  const { id, status, amount } = link;
  const isOver = expired(link, LINK_LIFETIME, now);
  const closed = { id, status, expired: isOver, homepageUrl: null, organization };
  if (isOver || status !== 'PENDING') return closed;
  return { ...closed, amount: pesos(amount), currency: 'MXN', expiresAt: endOfLink(link) };
}

/** The intent as a cashier's system reads it. */
export function showIntent(intent: Intent, model: Model, now: number): object {
  const { id, status, latest } = intent;
  const payment = latest === undefined ? undefined : model.payments[latest];
  const summary = payment && { id: payment.id, status: payment.status, operationCode: payment.operationCode };
  return { id, status, expired: expired(intent, INTENT_LIFETIME, now), ...(summary && { paymentSummary: summary }) };
}

/** What the clock does without the bank: holds past their window are released, intents past their lifetime are cancelled. */
export function passTime(model: Model, now: number): void {
  for (const payment of model.payments) {
    if (payment.status !== 'HELD' || typeof payment.heldAt !== 'string') continue;
    if (now < windowEnd(payment.heldAt) + SWEPT_AFTER) continue;
    Object.assign(payment, { status: 'HOLD_EXPIRED', holdReleasedAt: undefined });
  }
  for (const intent of model.intents) {
    if (intent.status === 'PENDING' && expired(intent, INTENT_LIFETIME, now)) intent.status = 'CANCELLED';
  }
}

/** The sweep releases a hold ten seconds after its window at the earliest. */
export const SWEPT_AFTER = 10_000;
