import type { SalespersonStatus } from '@cobro/contracts/salespeople.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';

/** Our copy of a salesperson, with their branch; intents owns both. */
export interface SalespersonRow {
  id: string;
  organizationId: string;
  name: string;
  username: string;
  status: SalespersonStatus;
  branchId: string | null;
  /** Also null until the branch's event has come. */
  branchName: string | null;
}

export const showSeller = ({ id, name, username }: SalespersonRow) => ({ id, name, username });

export const findSalesperson = (queries: Queries, organizationId: string, id: string) =>
  queries.maybe<SalespersonRow>(sql`
    select s.id, s.organization_id as "organizationId", s.name, s.username, s.status, s.branch_id as "branchId",
      b.name as "branchName"
    from salesperson s left join branch b on b.id = s.branch_id
    where s.id = ${id} and s.organization_id = ${organizationId}`);

/** Keeps the newer of the stored and the given facts, because events of one person may come out of order. */
export const keepSalesperson = (
  queries: Queries,
  {
    id,
    organizationId,
    name,
    username,
    status,
    branchId,
    sequence,
  }: Omit<SalespersonRow, 'branchName'> & {
    sequence: string;
  },
) =>
  queries.run(sql`
    insert into salesperson as s (id, organization_id, name, username, status, branch_id, sequence)
    values (${id}, ${organizationId}, ${name}, ${username}, ${status}, ${branchId}, ${sequence})
    on conflict (id) do update set name = excluded.name, username = excluded.username, status = excluded.status,
      branch_id = excluded.branch_id, sequence = excluded.sequence
    where s.sequence < excluded.sequence`);

/** The same for branches. */
export const keepBranch = (queries: Queries, branch: { id: string; name: string; sequence: string }) =>
  queries.run(sql`
    insert into branch as b (id, name, sequence) values (${branch.id}, ${branch.name}, ${branch.sequence})
    on conflict (id) do update set name = excluded.name, sequence = excluded.sequence
    where b.sequence < excluded.sequence`);
