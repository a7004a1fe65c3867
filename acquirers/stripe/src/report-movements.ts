import type { Movement } from '@cobro/contracts/acquirer/settlement-report.ts';
import { dayEnd, dayStart } from '@cobro/domain/mexico-city.ts';
import type { Stripe } from 'stripe';
import type { Deps } from './deps.ts';
import { findFailedRefunds, findMovers } from './operation.store.ts';

/** Money between Stripe and the merchant's bank account, which no operation of ours moves. */
const PAYOUTS = /^(payout|topup|transfer)/;

/** For how long pages are cut from one listing. */
const KEPT_MS = 5 * 60_000;

/**
 * Gives a page of a day's movements, and throws if Stripe does not answer. The first page lists the day anew, unless that is under way.
 * The others are cut from the same listing, because Stripe gives a hundred movements a request.
 */
export function openReport(deps: Deps) {
  let last: { day: string; at: number; isRead: boolean; listing: ReturnType<typeof listMovements> } | undefined;
  const list = (day: string) => {
    const begun = { day, at: performance.now(), isRead: false, listing: listMovements(deps, day) };
    begun.listing.then(
      () => (begun.isRead = true),
      () => (last = undefined),
    );
    return begun;
  };
  return async ({ day, after = '', limit }: { day: string; after?: string | undefined; limit: number }) => {
    const isOver = last?.isRead === true && (after === '' || performance.now() > last.at + KEPT_MS);
    if (last?.day !== day || isOver) last = list(day);
    const { asOf, moved } = await last.listing;
    const data = moved.filter(({ id }) => id > after).slice(0, limit);
    const isLast = data.at(-1)?.id === moved.at(-1)?.id || data.length === 0;
    return { day, asOf: asOf.toISOString(), data, next: isLast ? null : (data.at(-1)?.id ?? null) };
  };
}

/** All of a day's movements by id, by Stripe's balance transactions. */
async function listMovements({ db, stripe }: Deps, day: string) {
  const asOf = new Date();
  const created = { gte: seconds(dayStart(day)), lte: seconds(dayEnd(day)) };
  const all: Stripe.BalanceTransaction[] = [];
  const pages = stripe.balanceTransactions.list({ created, limit: 100, expand: ['data.source'] });
  for await (const transaction of pages) if (!PAYOUTS.test(transaction.type)) all.push(transaction);
  const intentIds = [...new Set(all.map(intentOf).filter((id) => id !== undefined))];
  const movers = new Map((await findMovers(db, intentIds)).map((mover) => [mover.intentId, mover]));
  const failed = await findFailedRefunds(db, intentIds);
  const moved = all
    // A refund that we declined has failed: it and the return of its money are left out.
    .filter((transaction) => !failed.has(refundKeyOf(transaction) ?? ''))
    .map((transaction) => movementOf(transaction, movers.get(intentOf(transaction) ?? '')));
  moved.sort((one, other) => (one.id < other.id ? -1 : 1));
  return { asOf, moved };
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1_000);

interface Source {
  id: string;
  payment_intent?: string | { id: string } | null;
  metadata?: Record<string, string> | null;
}
const sourceOf = ({ source }: Stripe.BalanceTransaction) =>
  typeof source === 'object' ? (source as unknown as Source | null) : null;

function intentOf(transaction: Stripe.BalanceTransaction): string | undefined {
  const intent = sourceOf(transaction)?.payment_intent;
  return typeof intent === 'object' ? intent?.id : intent;
}

/** The key of the refund that the transaction made or took back. */
const refundKeyOf = (transaction: Stripe.BalanceTransaction): string | null =>
  transaction.reporting_category.startsWith('refund') ? (sourceOf(transaction)?.metadata?.['operation'] ?? null) : null;

/** Amounts come from Stripe alone; our rows only give the key. A charge or refund without one is an adjustment. */
function movementOf(
  transaction: Stripe.BalanceTransaction,
  mover: { key: string; reference: string } | undefined,
): Movement {
  if (transaction.currency !== 'mxn') throw new Error(`the account settles in ${transaction.currency}`);
  const source = sourceOf(transaction);
  const refundKey = refundKeyOf(transaction);
  const money = {
    gross: transaction.amount,
    fee: transaction.fee,
    net: transaction.net,
    currency: 'MXN' as const,
    time: new Date(transaction.created * 1_000).toISOString(),
  };
  const own = { id: transaction.id, reference: source?.id ?? transaction.id, ...money };
  switch (transaction.reporting_category) {
    case 'charge':
      return mover === undefined
        ? { ...own, kind: 'adjustment', about: null }
        : { ...money, id: mover.key, kind: 'charge', about: null, reference: mover.reference };
    case 'refund':
      return refundKey === null
        ? { ...own, kind: 'adjustment', about: null }
        : { ...own, id: refundKey, kind: 'refund', about: null };
    case 'refund_failure':
      return { ...own, kind: 'refund_failed', about: refundKey };
    case 'dispute':
    case 'dispute_reversal':
      return { ...own, kind: 'dispute', about: mover?.key ?? null };
    default:
      return { ...own, kind: 'adjustment', about: null };
  }
}
