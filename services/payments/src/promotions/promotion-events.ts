import { type Envelope, newEvent } from '@cobro/contracts/events.ts';
import { promotionStatus } from '@cobro/domain/promotions.ts';
import type { PromotionRow } from './promotion.row.ts';
import { showPromotion } from './promotion.rules.ts';

/** The events of a promotion, in order. Without a discount of the fee nobody had to accept it. */
export function eventsOfPromotion(row: PromotionRow, now: Date): Envelope[] {
  const isEnded = row.announced === 'ENDED' || promotionStatus(row, now) === 'ENDED';
  return [
    ...(row.acceptedAt !== null && row.feeDiscountBps > 0 ? [accepted(row, row.acceptedAt)] : []),
    ...(isEnded ? [ended(row)] : []),
  ];
}

function accepted(row: PromotionRow, acceptedAt: Date): Envelope {
  const promotion = showPromotion({ ...row, endedAt: null, updatedAt: acceptedAt }, acceptedAt);
  const data = { promotionId: row.id, organizationId: row.organizationId, promotion, acceptedAt };
  return newEvent('PromotionAccepted', { subject: row.id, sequence: 1, time: acceptedAt, data });
}

function ended(row: PromotionRow): Envelope {
  const { id, organizationId, endedAt: byHand, endsAt } = row;
  const endedAt = byHand !== null && byHand < endsAt ? byHand : endsAt;
  const data = { promotionId: id, organizationId, promotion: showPromotion(row, endedAt), endedAt };
  return newEvent('PromotionEnded', { subject: id, sequence: 2, time: endedAt, data });
}
