import { createHash } from 'node:crypto';
import { newId } from '@cobro/contracts/ids.ts';
import { MOST_PROMOTIONS, type PromotionBody } from '@cobro/contracts/promotions.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createPromotion as contract } from '@cobro/contracts/routes/promotions.ts';
import { refuseCardData } from '@cobro/contracts/text.ts';
import { countUnknownProducts } from '../catalog/product.store.ts';
import type { Deps } from '../deps.ts';
import { lockSponsor } from '../organizations/organization.store.ts';
import type { PromotionRow } from './promotion.row.ts';
import { refuseTimes, showPromotion } from './promotion.rules.ts';
import { countNotEnded, findPromotionByExternalId, insertPromotion } from './promotion.store.ts';

/** POST /promotion: 201. Without a discount of the fee, which the sponsor would bear, nobody has to accept it. */
export async function createPromotion(
  deps: Deps,
  { caller, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const asked = readBody();
  const requestDigest = digestOf(asked);
  const now = deps.clock.now();
  const { row, isReplayed } = await deps.db.inTransaction(async (tx) => {
    // The organization's promotions are made one after the other, and none beside a change of its sponsor.
    const sponsor = await lockSponsor(tx, organizationId);
    const earlier = asked.externalId && (await findPromotionByExternalId(tx, organizationId, asked.externalId));
    if (earlier) return { row: replayed(earlier, requestDigest), isReplayed: true };
    refuseCardData(asked.externalId);
    refuseTimes(asked, now);
    const productIds = asked.productIds ?? [];
    const unknown = await countUnknownProducts(tx, organizationId, productIds);
    if (unknown.count > 0) throw new Refusal('PRODUCT_NOT_FOUND');
    if (sponsor === undefined) throw new Refusal('PROMOTION_SPONSOR_MISSING');
    const { count } = await countNotEnded(tx, organizationId, now);
    if (count >= MOST_PROMOTIONS) throw new Refusal('PROMOTION_LIMIT_REACHED');
    const made = { ...termsOf(asked, now), productIds, ...sponsor, organizationId, requestDigest };
    return { row: await insertPromotion(tx, made), isReplayed: false };
  });
  const answer = { status: 201, body: showPromotion(row, now) } as const;
  return isReplayed ? { ...answer, headers: { 'Idempotent-Replayed': 'true' } } : answer;
}

const termsOf = (asked: PromotionBody, now: Date) => {
  const { name, feeDiscount = 0, businessTake = 0, terms, types = [], networks = [], issuingBanks = [] } = asked;
  const { minimumAmount = null, maxPayments = null, startsAt, endsAt, externalId = null } = asked;
  return {
    id: newId(now.getTime()),
    externalId,
    name,
    feeDiscountBps: feeDiscount,
    businessTakeBps: businessTake,
    terms,
    types,
    networks,
    issuingBanks,
    minimumAmount,
    maxPayments,
    startsAt,
    endsAt,
    acceptedAt: feeDiscount > 0 ? null : now,
    createdAt: now,
    updatedAt: now,
  };
};

/** Of what was sent, before anything stands in for what was not. The schema gives the fields one order. */
function digestOf(asked: PromotionBody): Buffer {
  const json = JSON.stringify(asked, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return createHash('sha256').update(json).digest();
}

function replayed(row: PromotionRow, digest: Buffer): PromotionRow {
  if (row.requestDigest.equals(digest)) return row;
  throw new Refusal('EXTERNAL_ID_MISMATCH');
}
