import { type Queries, sql } from '@cobro/postgres/database.ts';
import {
  type PromotionInForce,
  promotionsInForce,
  readPromotions,
  type StoredPromotion,
} from '../promotions/promotion-in-force.ts';

export interface FeeChannelRow {
  type: 'CARD_PRESENT' | 'CARD_NOT_PRESENT';
  network: string | null;
  fundingSource: string | null;
  terms: number;
  feeBps: number;
  promotionFeeDiscountBps: number;
  promotionBusinessTakeBps: number;
}

/** The channel's rates, which are frozen into a payment. */
export const ratesOf = ({ feeBps, promotionFeeDiscountBps, promotionBusinessTakeBps }: FeeChannelRow) => ({
  feeBps,
  promotionFeeDiscountBps,
  promotionBusinessTakeBps,
});

const feeChannels = (organizationId: string) => sql`
  select type, network, funding_source as "fundingSource", terms, fee_bps as "feeBps",
    promotion_fee_discount_bps as "promotionFeeDiscountBps", promotion_business_take_bps as "promotionBusinessTakeBps"
  from fee_channel where organization_id = ${organizationId}`;

/** What decides a payment's fee. */
export interface Pricing {
  channels: FeeChannelRow[];
  promotions: PromotionInForce[];
}

/** Selects the organization's fee channels, and its promotions in force at `at`, as columns. An organization has few of either. */
export const pricing = (organizationId: string, at: Date) => sql`
  (select coalesce(json_agg(channel), '[]') from (${feeChannels(organizationId)}) channel) as channels,
  (select json_agg(promotion) from (${promotionsInForce(organizationId, at)}) promotion) as promotions`;

export interface StoredPricing {
  channels: FeeChannelRow[];
  promotions: StoredPromotion[] | null;
}

export async function findPricing(queries: Queries, organizationId: string, at: Date): Promise<Pricing> {
  const { channels, promotions } = await queries.one<StoredPricing>(sql`select ${pricing(organizationId, at)}`);
  return { channels, promotions: readPromotions(promotions) };
}

export const listFeeChannels = (queries: Queries, organizationId: string) =>
  queries.many<FeeChannelRow>(sql`${feeChannels(organizationId)} order by type, network, funding_source, terms`);

export const setFeeChannel = (queries: Queries, organizationId: string, channel: FeeChannelRow) =>
  queries.run(sql`
    insert into fee_channel (organization_id, type, network, funding_source, terms, fee_bps, promotion_fee_discount_bps,
      promotion_business_take_bps)
    values (${organizationId}, ${channel.type}, ${channel.network}, ${channel.fundingSource}, ${channel.terms},
      ${channel.feeBps}, ${channel.promotionFeeDiscountBps}, ${channel.promotionBusinessTakeBps})
    on conflict (organization_id, type, network, funding_source, terms) do update
    set fee_bps = excluded.fee_bps, promotion_fee_discount_bps = excluded.promotion_fee_discount_bps,
      promotion_business_take_bps = excluded.promotion_business_take_bps`);

export const removeFeeChannel = (
  queries: Queries,
  organizationId: string,
  channel: Omit<FeeChannelRow, `${string}Bps`>,
) =>
  queries.run(sql`
    delete from fee_channel
    where organization_id = ${organizationId} and type = ${channel.type} and terms = ${channel.terms}
      and network is not distinct from ${channel.network} and funding_source is not distinct from ${channel.fundingSource}`);
