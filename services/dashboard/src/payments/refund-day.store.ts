import { type Queries, sql } from '@cobro/postgres/database.ts';

interface Refund {
  personId: string;
  /** In Mexico City, `YYYY-MM-DD`. */
  day: string;
  centavos: bigint;
}

/**
 * Adds a refund to the person's day; returns false and adds nothing if the day would exceed `most`. It is one statement, so that
 * concurrent refunds cannot pass together.
 */
export async function addRefund(
  queries: Queries,
  { personId, day, centavos }: Refund,
  most: bigint | null,
): Promise<boolean> {
  const row = await queries.maybe(sql`
    insert into refund_day (person_id, day, centavos)
    select ${personId}::uuid, ${day}::date, ${centavos}::bigint
    where ${most}::bigint is null or ${centavos}::bigint <= ${most}::bigint
    on conflict (person_id, day) do update set centavos = refund_day.centavos + excluded.centavos
    where ${most}::bigint is null or refund_day.centavos + excluded.centavos <= ${most}::bigint
    returning day`);
  return row !== undefined;
}

/** Takes a refused refund off the person's day. */
export const takeRefundBack = (queries: Queries, { personId, day, centavos }: Refund) =>
  queries.run(sql`
    update refund_day set centavos = centavos - ${centavos} where person_id = ${personId} and day = ${day}::date`);

export const pruneRefundDays = (queries: Queries) =>
  queries.run(sql`
    delete from refund_day where (person_id, day) in (
      select person_id, day from refund_day where day < current_date - 30 limit 500)`);
