import { type LastSaid, lastSaid } from '@cobro/bank/last-said.ts';
import { notProcessed } from '@cobro/bank/bank.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { type Retelling, retelling } from '@cobro/events/retelling.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { productOutOfStock } from './products/product-events.ts';
import { findOutOfStock, findOutOfStockAfter } from './products/product.store.ts';
import { linkSoldOut } from './payment-links/payment-link-events.ts';
import { findSoldOut, findSoldOutAfter } from './payment-links/payment-link.store.ts';
import { eventsOfPromotion } from './promotions/promotion-events.ts';
import { findAnnounced, findAnnouncedAfter } from './promotions/promotion.store.ts';
import { endsOfOneTimePayment } from './one-time-payments/one-time-payment-events.ts';
import { findAnnouncedLinks, findAnnouncedLinksAfter } from './one-time-payments/one-time-payment.store.ts';
import { holdPlaced, paymentConfirmed, paymentDeclined, paymentRefunded } from './payments/payment-events.ts';
import type { PaymentRow } from './payments/payment.row.ts';
import { findPaymentsAfter, findPaymentsOfIds } from './payments/payment.store.ts';
import { subscriptionChanged } from './subscriptions/subscription-events.ts';
import { findPublished, findPublishedAfter } from './subscriptions/subscription-news.store.ts';

/** Retells how each one-time payment ended. */
export const retellLinks = (queries: Queries): Retelling =>
  retelling({
    after: (id, limit) => findAnnouncedLinksAfter(queries, id, limit),
    ofKeys: (ids) => findAnnouncedLinks(queries, ids),
    keyOf: ({ id }) => id,
    eventsOf: (rows) => rows.flatMap(endsOfOneTimePayment),
  });

/** Retells the last time that each payment link was sold out. */
export const retellSoldOutLinks = (queries: Queries): Retelling =>
  retelling({
    after: (id, limit) => findSoldOutAfter(queries, id, limit),
    ofKeys: (ids) => findSoldOut(queries, ids),
    keyOf: ({ id }) => id,
    eventsOf: (rows) => rows.map(linkSoldOut),
  });

/** Retells the last time that each product was out of stock. */
export const retellOutOfStock = (queries: Queries): Retelling =>
  retelling({
    after: (id, limit) => findOutOfStockAfter(queries, id, limit),
    ofKeys: (ids) => findOutOfStock(queries, ids),
    keyOf: ({ id }) => id,
    eventsOf: (rows) => rows.map(productOutOfStock),
  });

/** Retells what was published of each promotion. */
export const retellPromotions = (queries: Queries): Retelling =>
  retelling({
    after: (id, limit) => findAnnouncedAfter(queries, id, limit),
    ofKeys: (ids) => findAnnounced(queries, ids),
    keyOf: ({ id }) => id,
    // At createdAt the clock has ended none, so an end by the clock counts only if it was published.
    eventsOf: (rows) => rows.flatMap((row) => eventsOfPromotion(row, row.createdAt)),
  });

/** Retells what was published of each subscription, with its present state. */
export function retellSubscriptions(queries: Queries): Retelling {
  const now = new Date();
  return retelling({
    after: (id, limit) => findPublishedAfter(queries, id, limit, now),
    ofKeys: (ids) => findPublished(queries, ids, now),
    keyOf: ({ id }) => id,
    eventsOf: (rows) =>
      rows.flatMap((row) =>
        row.published.map(({ at, ...one }) => subscriptionChanged(row, one, { at: new Date(at), now })),
      ),
  });
}

/** Retells every payment that has an outcome. holds publishes how a hold ended. */
export const retellPayments = (queries: Queries): Retelling =>
  retelling({
    after: (id, limit) => findPaymentsAfter(queries, id, limit),
    ofKeys: (ids) => findPaymentsOfIds(queries, ids),
    keyOf: ({ id }) => id,
    eventsOf: (rows) => eventsOf(queries, rows),
  });

async function eventsOf(queries: Queries, rows: PaymentRow[]): Promise<Envelope[]> {
  const idsOf = (chosen: PaymentRow[]) => chosen.map(({ id }) => id);
  const [declines, refunds] = await Promise.all([
    lastSaid(queries, idsOf(rows.filter(isDeclinedOfOld)), ['charge', 'hold']),
    lastSaid(queries, idsOf(rows.filter(({ status }) => status === 'REFUNDED')), ['refund']),
  ]);
  return rows.flatMap((row) => [...making(row, declines), ...refund(row, refunds)]);
}

/** Releases before this one did not keep the bank's answer with a payment that was declined. */
const isDeclinedOfOld = ({ status, bankTransaction }: PaymentRow) => status === 'CANCELLED' && bankTransaction === null;

function making(row: PaymentRow, declines: Map<string, LastSaid>): Envelope[] {
  if (row.status === 'NOT_INITIALIZED' || row.status === 'PENDING') return [];
  if (isDeclinedOfOld(row)) {
    return [paymentDeclined(row, declines.get(row.id)?.transaction ?? notProcessed(row.createdAt))];
  }
  if (row.status === 'CANCELLED') return [paymentDeclined(row)];
  return [row.heldAt === null ? paymentConfirmed(row) : holdPlaced(row)];
}

function refund(row: PaymentRow, refunds: Map<string, LastSaid>): Envelope[] {
  if (row.status !== 'REFUNDED') return [];
  const said = refunds.get(row.id);
  if (said === undefined) throw new Error(`payment ${row.id} was refunded, and no operation says so`);
  return [paymentRefunded(row, said.transaction, said.note)];
}
