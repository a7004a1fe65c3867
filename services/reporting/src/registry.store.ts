import { type Queries, sql } from '@cobro/postgres/database.ts';
import type { PartnerPaymentRow, TakenAt } from './partner-payment.rules.ts';

/** Each of these keeps the facts with the highest sequence, in whatever order the events arrive. */
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

/** Where and by whom the cards of these payments were taken. Costs nothing where no card was present. */
export async function findTakenAt(queries: Queries, rows: readonly PartnerPaymentRow[]): Promise<TakenAt> {
  const known = <T>(all: { id: string; shown: T }[]) => {
    const byId = new Map(all.map(({ id, shown }) => [id, shown]));
    return (id: string | null): T | null => (id === null ? null : (byId.get(id) ?? null));
  };
  const ids = (of: 'terminalId' | 'salespersonId' | 'branchId') => [
    ...new Set(rows.flatMap((row) => (row[of] === null ? [] : [row[of]]))),
  ];
  const terminals = ids('terminalId');
  if (terminals.length === 0) return { terminal: () => null, salesperson: () => null, branch: () => null };
  const [terminal, salesperson, branch] = await Promise.all([
    queries.many<{ id: string; serialNumber: string }>(sql`
      select id, serial_number as "serialNumber" from terminal where id = any(${terminals}::uuid[])`),
    queries.many<{ id: string; name: string; username: string }>(sql`
      select id, name, username from salesperson where id = any(${ids('salespersonId')}::uuid[])`),
    queries.many<{ id: string; name: string }>(sql`
      select id, name from branch where id = any(${ids('branchId')}::uuid[])`),
  ]);
  return {
    terminal: known(terminal.map(({ id, serialNumber }) => ({ id, shown: { serialNumber } }))),
    salesperson: known(salesperson.map((shown) => ({ id: shown.id, shown }))),
    branch: known(branch.map((shown) => ({ id: shown.id, shown }))),
  };
}
