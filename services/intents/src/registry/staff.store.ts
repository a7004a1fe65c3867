import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import { column, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const record = {
  id: column<string>(),
  organizationId: column<string>(),
  name: column<string>(),
  version: column<number>(),
  createdAt: column<Date>(),
};
const branchTable = tableOf(record);
const salespersonColumns = { ...record, username: column<string>() };
const salespersonTable = tableOf(salespersonColumns);

export type BranchRow = RowOf<typeof record>;
export type SalespersonRow = RowOf<typeof salespersonColumns>;

const insertingBranch = branchTable.inserting('id', 'organizationId', 'name', 'createdAt');
const insertingSalesperson = salespersonTable.inserting('id', 'organizationId', 'name', 'username', 'createdAt');

export const insertBranch = (tx: Tx, branch: Parameters<typeof insertingBranch>[0]) =>
  tx.one<BranchRow>(sql`insert into branch ${insertingBranch(branch)} returning ${branchTable.list}`);

export const renameBranch = (tx: Tx, id: string, name: string) =>
  tx.maybe<BranchRow>(sql`
    update branch set name = ${name}, version = version + 1 where id = ${id} returning ${branchTable.list}`);

export const findBranch = (queries: Queries, id: string) =>
  queries.maybe<BranchRow>(sql`select ${branchTable.list} from branch where id = ${id}`);

export const listBranches = (queries: Queries) =>
  queries.many<BranchRow>(sql`select ${branchTable.list} from branch order by created_at, id`);

/** Undefined where the organization has somebody with this username. */
export const insertSalesperson = (tx: Tx, salesperson: Parameters<typeof insertingSalesperson>[0]) =>
  tx.maybe<SalespersonRow>(sql`
    insert into salesperson ${insertingSalesperson(salesperson)}
    on conflict (organization_id, username) do nothing returning ${salespersonTable.list}`);

export const renameSalesperson = (tx: Tx, id: string, name: string) =>
  tx.maybe<SalespersonRow>(sql`
    update salesperson set name = ${name}, version = version + 1 where id = ${id} returning ${salespersonTable.list}`);

export const findSalesperson = (queries: Queries, id: string) =>
  queries.maybe<SalespersonRow>(sql`select ${salespersonTable.list} from salesperson where id = ${id}`);

export const listSalespeople = (queries: Queries) =>
  queries.many<SalespersonRow>(sql`select ${salespersonTable.list} from salesperson order by created_at, id`);

/** Each in the order of their ids. */
export const findBranchesAfter = (queries: Queries, id: string, limit: number) =>
  queries.many<BranchRow>(sql`select ${branchTable.list} from branch where id > ${id} order by id limit ${limit}`);

export const findBranchesOfIds = (queries: Queries, ids: readonly string[]) =>
  queries.many<BranchRow>(sql`select ${branchTable.list} from branch where id = any(${ids}::uuid[])`);

export const findSalespeopleAfter = (queries: Queries, id: string, limit: number) =>
  queries.many<SalespersonRow>(sql`
    select ${salespersonTable.list} from salesperson where id > ${id} order by id limit ${limit}`);

export const findSalespeopleOfIds = (queries: Queries, ids: readonly string[]) =>
  queries.many<SalespersonRow>(sql`select ${salespersonTable.list} from salesperson where id = any(${ids}::uuid[])`);
