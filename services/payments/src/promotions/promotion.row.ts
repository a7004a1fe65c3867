import { column, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const columns = {
  id: column<string>(),
  organizationId: column<string>(),
  externalId: column<string | null>(),
  /** SHA-256 of the request as it was sent. */
  requestDigest: column<Buffer>(),
  name: column<string>(),
  feeDiscountBps: column<number>(),
  businessTakeBps: column<number>(),
  terms: column<number[]>(),
  types: column<('CARD_PRESENT' | 'CARD_NOT_PRESENT')[]>(),
  networks: column<string[]>(),
  issuingBanks: column<string[]>(),
  productIds: column<string[]>(),
  /** Centavos. */
  minimumAmount: column<bigint | null>(),
  maxPayments: column<number | null>(),
  /** Payments that were counted and not given back. */
  paymentsCount: column<bigint>(),
  partnerId: column<string>(),
  partnerName: column<string>(),
  startsAt: column<Date>(),
  endsAt: column<Date>(),
  acceptedAt: column<Date | null>(),
  endedAt: column<Date | null>(),
  /** What was published last. */
  announced: column<'ACCEPTED' | 'ENDED' | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
};

/** A row of promotion_with_count. */
export type PromotionRow = RowOf<typeof columns>;
export const promotionTable = tableOf(columns);
