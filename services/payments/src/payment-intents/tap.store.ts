import { type Queries, sql, type Sql, type Tx } from '@cobro/postgres/database.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import {
  type PromotionInForce,
  promotionsInForce,
  readPromotions,
  type StoredPromotion,
} from '../promotions/promotion-in-force.ts';

export interface TapRow {
  paymentId: string;
  /** As `seal` made it. */
  sealedCard: Buffer;
  /** Real time. */
  chargeBefore: Date;
  /** Also counts tries that got no permit or could not reach the bank. */
  tries: number;
}

const columns = sql`payment_id as "paymentId", sealed_card as "sealedCard", charge_before as "chargeBefore", tries`;

export const insertTap = (tx: Tx, tap: Omit<TapRow, 'tries'>): void =>
  tx.send(sql`
    insert into tap (payment_id, sealed_card, charge_before)
    values (${tap.paymentId}, ${tap.sealedCard}, ${tap.chargeBefore})`);

/** Finds a tap with its payment, and the promotions that the payment may carry. Returns undefined if its charge has an outcome. */
export async function findTap(queries: Queries, paymentId: string): Promise<TapToCharge | undefined> {
  const inForce = promotionsInForce(sql`payment.organization_id`, sql`payment.created_at`);
  const found = await queries.maybe<Omit<TapToCharge, 'promotions'> & { promotions: StoredPromotion[] | null }>(sql`
    select ${columns}, type, terms, amount, card, rates, created_at as "createdAt",
      (select json_agg(promotion) from (${inForce}) promotion) as promotions
    from tap, payment where payment_id = ${paymentId} and payment.id = ${paymentId}`);
  return found && { ...found, promotions: readPromotions(found.promotions) };
}

export interface TapToCharge
  extends TapRow, Pick<PaymentRow, 'type' | 'terms' | 'amount' | 'card' | 'rates' | 'createdAt'> {
  promotions: PromotionInForce[];
}

/** Counts a try, and delays the next one. */
export const countingTry = (paymentId: string): Sql => sql`
  update tap set tries = tries + 1, try_at = clock_timestamp() + interval '1 second' where payment_id = ${paymentId}`;

/** Counts a try in which this process could not ask the bank. Another process may be able to, so the next is not delayed. */
export const countingVainTry = (paymentId: string): Sql => sql`
  update tap set tries = tries + 1 where payment_id = ${paymentId}`;

export const removingTap = (paymentId: string): Sql => sql`delete from tap where payment_id = ${paymentId}`;

/** A tap whose charge can be tried. */
export interface DueTap {
  paymentId: string;
  /** The acquirer whose vault gave the token. */
  acquirer: string;
  organizationId: string;
}

/**
 * Lists this acquirer's taps that are due and have no open operation; without an acquirer, those of acquirers that are not `known`,
 * so that they end. Late ones come first, the others in random order, so that taps that cannot be tried here leave room. Each
 * payment is looked up by itself, because a join would read all payments until `tap` is analyzed.
 */
export const listDueTaps = (
  queries: Queries,
  { acquirer, known, limit }: { acquirer: string | undefined; known: readonly string[]; limit: number },
) =>
  queries.many<DueTap>(sql`
    select payment_id as "paymentId", acquirer, organization_id as "organizationId"
    from tap, lateral (
      select acquirer, organization_id from payment
      where id = tap.payment_id and status = 'NOT_INITIALIZED' limit 1) as payment
    where try_at <= clock_timestamp()
      and ${acquirer === undefined ? sql`acquirer <> all(${known})` : sql`acquirer = ${acquirer}`}
    order by charge_before <= clock_timestamp() desc, random() limit ${limit}`);
