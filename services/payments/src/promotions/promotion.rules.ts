import { pesosOf } from '@cobro/contracts/amount.ts';
import { ENDS_AT_RULE, type PartnerPromotion, type ShownPromotion } from '@cobro/contracts/promotions.ts';
import { refuseField } from '@cobro/contracts/validation.ts';
import { percentage } from '@cobro/domain/fees.ts';
import { promotionStatus } from '@cobro/domain/promotions.ts';
import type { PromotionRow } from './promotion.row.ts';

/** @throws Refusal 400 */
export function refuseTimes({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }, now: Date): void {
  if (endsAt <= startsAt || endsAt <= now) throw refuseField('endsAt', ENDS_AT_RULE);
}

/** A promotion as its merchant sees it now. */
export function showPromotion(row: PromotionRow, now: Date): ShownPromotion {
  const { id, name, terms, types, networks, issuingBanks, productIds, maxPayments, externalId } = row;
  return {
    id,
    name,
    status: promotionStatus(row, now),
    feeDiscount: percentage(row.feeDiscountBps),
    businessTake: percentage(row.businessTakeBps),
    terms,
    types,
    networks,
    issuingBanks,
    productIds,
    minimumAmount: row.minimumAmount === null ? null : pesosOf(row.minimumAmount),
    maxPayments,
    paymentsCount: Number(row.paymentsCount),
    sponsor: { id: row.partnerId, name: row.partnerName },
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    externalId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** As its sponsor sees it. */
export const showToSponsor = (row: PromotionRow & { organizationName: string }, now: Date): PartnerPromotion => ({
  ...showPromotion(row, now),
  organization: { id: row.organizationId, name: row.organizationName },
});
