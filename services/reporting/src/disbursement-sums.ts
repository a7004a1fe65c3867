import { sql } from '@cobro/postgres/database.ts';

/** What became of the payments of a group. Centavos. */
export interface DisbursementSums {
  fee: bigint;
  feeIva: bigint;
  promotionTake: bigint;
  take: bigint;
}

const partOf = (name: string) => sql`coalesce(sum((disbursement ->> ${name})::bigint), 0)::bigint`;

export const takeSum = sql`${partOf('merchantTakeAmount')} as take`;
/** The columns of `DisbursementSums`, over rows with a `disbursement`. */
export const disbursementSums = sql`${partOf('merchantFeeAmount')} as fee, ${partOf('merchantIvaFeeAmount')} as "feeIva",
      ${partOf('promotionTakeAmount')} as "promotionTake", ${takeSum}`;
