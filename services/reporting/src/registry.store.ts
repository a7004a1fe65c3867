import { type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import type { PartnerPaymentRow, TakenAt } from './partner-payment.rules.ts';

/** This and the next two keep the facts with the highest sequence, in whatever order the events arrive. */
export const recordTerminal = (
  queries: Queries,
  { id, serialNumber, sequence }: { id: string; serialNumber: string; sequence: string },
) =>
  queries.run(sql`
    insert into terminal (id, serial_number, sequence) values (${id}, ${serialNumber}, ${sequence})
    on conflict (id) do update set serial_number = excluded.serial_number, sequence = excluded.sequence
    where terminal.sequence < excluded.sequence`);

export const recordSalesperson = (
  queries: Queries,
  { id, name, username, sequence }: { id: string; name: string; username: string; sequence: string },
) =>
  queries.run(sql`
    insert into salesperson (id, name, username, sequence) values (${id}, ${name}, ${username}, ${sequence})
    on conflict (id) do update set name = excluded.name, username = excluded.username, sequence = excluded.sequence
    where salesperson.sequence < excluded.sequence`);

export const recordBranch = (
  queries: Queries,
  { id, name, sequence }: { id: string; name: string; sequence: string },
) =>
  queries.run(sql`
    insert into branch (id, name, sequence) values (${id}, ${name}, ${sequence})
    on conflict (id) do update set name = excluded.name, sequence = excluded.sequence
    where branch.sequence < excluded.sequence`);

/** Finds the terminals, salespeople and branches that these payments name. Costs nothing if they name none. */
export async function findTakenAt(queries: Queries, rows: readonly PartnerPaymentRow[]): Promise<TakenAt> {
  const named = <T extends { id: string }>(of: 'terminalId' | 'salespersonId' | 'branchId', select: Sql) => {
    const ids = [...new Set(rows.flatMap((row) => row[of] ?? []))];
    return ids.length === 0 ? [] : queries.many<T>(sql`${select} where id = any(${ids}::uuid[])`);
  };
  const [terminals, salespeople, branches] = await Promise.all([
    named<{ id: string; serialNumber: string }>(
      'terminalId',
      sql`select id, serial_number as "serialNumber" from terminal`,
    ),
    named<{ id: string; name: string; username: string }>(
      'salespersonId',
      sql`select id, name, username from salesperson`,
    ),
    named<{ id: string; name: string }>('branchId', sql`select id, name from branch`),
  ]);
  const byId = <T extends { id: string }>(all: readonly T[]) => {
    const known = new Map(all.map((one) => [one.id, one]));
    return (id: string | null) => (id === null ? undefined : known.get(id));
  };
  return { terminal: byId(terminals), salesperson: byId(salespeople), branch: byId(branches) };
}
