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
  /** Counted also where no permit or no bank could be had. */
  tries: number;
}

const columns = sql`payment_id as "paymentId", sealed_card as "sealedCard", charge_before as "chargeBefore", tries`;

export const insertTap = (tx: Tx, tap: Omit<TapRow, 'tries'>): void =>
  tx.send(sql`
    insert into tap (payment_id, sealed_card, charge_before)
    values (${tap.paymentId}, ${tap.sealedCard}, ${tap.chargeBefore})`);

/** With its payment, and the promotions that the payment may carry. Undefined where its charge has an outcome. */
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

/** Counts a try, and puts the next one off. */
export const countingTry = (paymentId: string): Sql => sql`
  update tap set tries = tries + 1, try_at = clock_timestamp() + interval '1 second' where payment_id = ${paymentId}`;

/** Counts a try for which this process could ask no bank. Others may be able to, so it is not put off. */
export const countingVainTry = (paymentId: string): Sql => sql`
  update tap set tries = tries + 1 where payment_id = ${paymentId}`;

export const removingTap = (paymentId: string): Sql => sql`delete from tap where payment_id = ${paymentId}`;

/** A tap whose charge can be tried. */
export interface DueTap {
  paymentId: string;
  /** Who gave the token. */
  acquirer: string;
  organizationId: string;
  amount: bigint;
}

/**
 * Taps of this acquirer that have no operation open and are due for a try; without an acquirer, taps of all acquirers that are not among
 * the known, so that they end. Those whose time is over come first, and others in no order, so that what cannot be tried here leaves room. Each payment is
 * looked up by itself, because a join's plan reads all payments where the few rows of `tap` have never been analyzed.
 */
export const listDueTaps = (
  queries: Queries,
  { acquirer, known, limit }: { acquirer: string | undefined; known: readonly string[]; limit: number },
) =>
  queries.many<DueTap>(sql`
    select payment_id as "paymentId", acquirer, organization_id as "organizationId", amount
    from tap, lateral (
      select acquirer, organization_id, amount from payment
      where id = tap.payment_id and status = 'NOT_INITIALIZED' limit 1) as payment
    where try_at <= clock_timestamp()
      and ${acquirer === undefined ? sql`acquirer <> all(${known})` : sql`acquirer = ${acquirer}`}
    order by charge_before <= clock_timestamp() desc, random() limit ${limit}`);
