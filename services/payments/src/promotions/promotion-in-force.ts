import type { Counting } from '@cobro/bank/journal.ts';
import type { Promotion } from '@cobro/domain/promotions.ts';
import { sql, type Sql } from '@cobro/postgres/database.ts';

/** A promotion that payments may carry now. */
export interface PromotionInForce extends Promotion {
  /** Whether it has a maxPayments. */
  isCapped: boolean;
}

/** A promotion in a statement's JSON. */
export type StoredPromotion = Omit<
  PromotionInForce,
  'minimumAmount' | 'startsAt' | 'endsAt' | 'acceptedAt' | 'endedAt'
> & {
  minimumAmount: number | null;
  startsAt: string;
  endsAt: string;
  acceptedAt: string;
};

/** Whether the promotion can still be taken by a payment that is claimed now. */
const hasRoom = sql`ended_at is null and (max_payments is null or counted < max_payments)`;

/** Selects the promotions that are ACTIVE at `at` and not spent. Organization and time may be columns of an outer statement. */
export const promotionsInForce = (organizationId: unknown, at: unknown): Sql => sql`
  select id, fee_discount_bps as "feeDiscountBps", business_take_bps as "businessTakeBps", terms, types, networks,
    issuing_banks as "issuingBanks", product_ids as "productIds", minimum_amount as "minimumAmount",
    max_payments is not null as "isCapped", starts_at as "startsAt", ends_at as "endsAt", accepted_at as "acceptedAt"
  from promotion
  where promotion.organization_id = ${organizationId} and starts_at <= ${at} and ends_at > ${at}
    and accepted_at is not null and ${hasRoom}`;

export const readPromotions = (stored: StoredPromotion[] | null): PromotionInForce[] =>
  (stored ?? []).map(({ minimumAmount, startsAt, endsAt, acceptedAt, ...rest }) => ({
    ...rest,
    minimumAmount: minimumAmount === null ? null : BigInt(minimumAmount),
    startsAt: new Date(startsAt),
    endsAt: new Date(endsAt),
    acceptedAt: new Date(acceptedAt),
    endedAt: null,
  }));

type Counted = Pick<PromotionInForce, 'id' | 'isCapped'>;

/** The id of the first of these that can still be taken; null if none can. */
export const firstWithRoom = (ids: readonly string[]): Sql => sql`(
  select promotion.id from unnest(${ids}::uuid[]) with ordinality as listed (id, place)
  join promotion on promotion.id = listed.id and ${hasRoom} order by place limit 1)`;

/** Counts or uncounts a payment. Only a capped promotion has a row that payments wait for. */
export const countingPayment = ({ id, isCapped }: Counted, change: 1 | -1): Counting =>
  isCapped
    ? {
        key: id,
        locking: sql`select id from promotion where id = ${id} for no key update`,
        writing: sql`update promotion set counted = counted + ${change}::int where id = ${id}`,
      }
    : {
        key: id,
        writing: sql`insert into promotion_use (promotion_id, change) select ${id}::uuid, ${change}::smallint where true`,
      };
