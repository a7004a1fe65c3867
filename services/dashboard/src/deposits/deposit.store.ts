import { type Queries, sql } from '@cobro/postgres/database.ts';

interface Deposit {
  organizationId: string;
  day: string;
  /** Centavos. */
  amount: bigint;
  enteredBy: string;
  enteredAt: Date;
}

/** Replaces what was entered for that day before. */
export const keepDeposit = (queries: Queries, { organizationId, day, amount, enteredBy, enteredAt }: Deposit) =>
  queries.run(sql`
    insert into deposit (organization_id, day, amount, entered_by, entered_at)
    values (${organizationId}, ${day}, ${amount}, ${enteredBy}, ${enteredAt})
    on conflict (organization_id, day) do update
    set amount = excluded.amount, entered_by = excluded.entered_by, entered_at = excluded.entered_at`);

export const dropDeposit = (queries: Queries, organizationId: string, day: string) =>
  queries.run(sql`delete from deposit where organization_id = ${organizationId} and day = ${day}`);

/** Deposits by day. */
export async function depositsOf(
  queries: Queries,
  organizationId: string,
  from: string,
  to: string,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await queries.many<{ day: string; amount: bigint }>(sql`
    select day::text as day, amount from deposit
    where organization_id = ${organizationId} and day >= ${from} and day <= ${to}`);
  return new Map(rows.map(({ day, amount }) => [day, amount]));
}
