import { newId } from '@cobro/contracts/ids.ts';
import { MOST_PROMOTIONS, type PromotionBody } from '@cobro/contracts/promotions.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createPromotion as contract } from '@cobro/contracts/routes/promotions.ts';
import { createOnce, digestOf } from '@cobro/service-kit/create-once.ts';
import { countUnknownProducts } from '../products/product.store.ts';
import type { Deps } from '../deps.ts';
import { lockSponsor } from '../organizations/organization.store.ts';
import type { PromotionRow } from './promotion.row.ts';
import { refuseTimes, showPromotion } from './promotion.rules.ts';
import { countNotEnded, findPromotionByExternalId, insertPromotion } from './promotion.store.ts';

/** POST /promotion: 201. Without a discount of the fee, which the sponsor would bear, nobody has to accept it. */
export async function createPromotion(
  deps: Deps,
  { caller: { organizationId }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const asked = readBody();
  const requestDigest = digestOf(asked);
  const now = deps.clock.now();
  return createOnce({
    key: asked.externalId,
    find: (externalId) => findPromotionByExternalId(deps.db, organizationId, externalId),
    isSame: (row) => row.requestDigest.equals(requestDigest),
    insert: () => insert(deps, { asked, requestDigest, organizationId, now }),
    show: (row) => showPromotion(row, now),
  });
}

interface ToInsert {
  asked: PromotionBody;
  requestDigest: Buffer;
  organizationId: string;
  now: Date;
}

/** Returns undefined if the externalId was taken meanwhile. */
const insert = (
  { db }: Deps,
  { asked, requestDigest, organizationId, now }: ToInsert,
): Promise<PromotionRow | undefined> =>
  db.inTransaction(async (tx) => {
    refuseTimes(asked, now);
    // Locks the organization: its promotions are made one after the other, and not during a change of its sponsor.
    const sponsor = await lockSponsor(tx, organizationId);
    if (asked.externalId && (await findPromotionByExternalId(tx, organizationId, asked.externalId))) return undefined;
    const productIds = asked.productIds ?? [];
    const unknown = await countUnknownProducts(tx, organizationId, productIds);
    if (unknown.count > 0) throw new Refusal('PRODUCT_NOT_FOUND');
    if (sponsor === undefined) throw new Refusal('PROMOTION_SPONSOR_MISSING');
    const { count } = await countNotEnded(tx, organizationId, now);
    if (count >= MOST_PROMOTIONS) throw new Refusal('PROMOTION_LIMIT_REACHED');
    return insertPromotion(tx, { ...termsOf(asked, now), productIds, ...sponsor, organizationId, requestDigest });
  });

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
