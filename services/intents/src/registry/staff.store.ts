import type { SalespersonStatus } from '@cobro/contracts/salespeople.ts';
import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import { column, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const record = {
  id: column<string>(),
  organizationId: column<string>(),
  name: column<string>(),
  version: column<number>(),
  createdAt: column<Date>(),
  /** Null where it was never changed. */
  updatedAt: column<Date | null>(),
  /** SHA-256 of the request as it was sent; null where an operator's command made it. */
  requestDigest: column<Buffer | null>(),
};
const branchColumns = { ...record, externalId: column<string | null>() };
const branchTable = tableOf(branchColumns);
const salespersonColumns = {
  ...record,
  username: column<string>(),
  status: column<SalespersonStatus>(),
  branchId: column<string | null>(),
};
const salespersonTable = tableOf(salespersonColumns);

export type BranchRow = RowOf<typeof branchColumns>;
export type SalespersonRow = RowOf<typeof salespersonColumns>;

const made = ['id', 'organizationId', 'name', 'createdAt', 'requestDigest'] as const;
const insertingBranch = branchTable.inserting(...made, 'externalId');
const insertingSalesperson = salespersonTable.inserting(...made, 'username', 'branchId');
export type NewBranch = Parameters<typeof insertingBranch>[0];
export type NewSalesperson = Parameters<typeof insertingSalesperson>[0];

/** Undefined where the externalId is taken. */
export const insertBranch = (tx: Tx, branch: NewBranch) =>
  tx.maybe<BranchRow>(sql`
    insert into branch ${insertingBranch(branch)}
    on conflict (organization_id, external_id) where external_id is not null do nothing
    returning ${branchTable.list}`);

export const renameBranch = (tx: Tx, id: string, name: string, at: Date) =>
  tx.maybe<BranchRow>(sql`
    update branch set name = ${name}, updated_at = ${at}, version = version + 1
    where id = ${id} returning ${branchTable.list}`);

export const findBranch = (queries: Queries, id: string) =>
  queries.maybe<BranchRow>(sql`select ${branchTable.list} from branch where id = ${id}`);

export const findBranchByExternalId = (queries: Queries, organizationId: string, externalId: string) =>
  queries.maybe<BranchRow>(sql`
    select ${branchTable.list} from branch where organization_id = ${organizationId} and external_id = ${externalId}`);

export const listAllBranches = (queries: Queries) =>
  queries.many<BranchRow>(sql`select ${branchTable.list} from branch order by created_at, id`);

/** Undefined where the organization has somebody with this username. */
export const insertSalesperson = (tx: Tx, salesperson: NewSalesperson) =>
  tx.maybe<SalespersonRow>(sql`
    insert into salesperson ${insertingSalesperson(salesperson)}
    on conflict (organization_id, username) do nothing returning ${salespersonTable.list}`);

/** A field that is undefined stays as it is. */
export interface StaffChange {
  name?: string | undefined;
  status?: SalespersonStatus | undefined;
  branchId?: string | undefined;
}

export const updateSalesperson = (tx: Tx, id: string, { name, status, branchId }: StaffChange, at: Date) =>
  tx.maybe<SalespersonRow>(sql`
    update salesperson
    set name = coalesce(${name}, name), status = coalesce(${status}, status),
      branch_id = coalesce(${branchId}::uuid, branch_id), updated_at = ${at}, version = version + 1
    where id = ${id} returning ${salespersonTable.list}`);

export const findSalesperson = (queries: Queries, id: string) =>
  queries.maybe<SalespersonRow>(sql`select ${salespersonTable.list} from salesperson where id = ${id}`);

export const findSalespersonByUsername = (queries: Queries, organizationId: string, username: string) =>
  queries.maybe<SalespersonRow>(sql`
    select ${salespersonTable.list} from salesperson
    where organization_id = ${organizationId} and username = ${username}`);

export const listAllSalespeople = (queries: Queries) =>
  queries.many<SalespersonRow>(sql`select ${salespersonTable.list} from salesperson order by created_at, id`);

/** Part of a merchant's list, the newest first. */
interface Page {
  organizationId: string;
  offset: number;
  limit: number;
}

export const findBranchPage = (queries: Queries, { organizationId, offset, limit }: Page) =>
  queries.many<BranchRow>(sql`
    select ${branchTable.list} from branch where organization_id = ${organizationId}
    order by created_at desc, id desc offset ${offset} limit ${limit}`);

export const countBranches = (queries: Queries, organizationId: string) =>
  queries.one<{ count: number }>(sql`
    select count(*)::int as count from branch where organization_id = ${organizationId}`);

type Listed = Page & { status: SalespersonStatus | undefined };

const ofStatus = ({ organizationId, status }: Omit<Listed, 'offset' | 'limit'>) =>
  status === undefined
    ? sql`organization_id = ${organizationId}`
    : sql`organization_id = ${organizationId} and status = ${status}`;

export const findSalespersonPage = (queries: Queries, { offset, limit, ...listed }: Listed) =>
  queries.many<SalespersonRow>(sql`
    select ${salespersonTable.list} from salesperson where ${ofStatus(listed)}
    order by created_at desc, id desc offset ${offset} limit ${limit}`);

export const countSalespeople = (queries: Queries, listed: Omit<Listed, 'offset' | 'limit'>) =>
  queries.one<{ count: number }>(sql`select count(*)::int as count from salesperson where ${ofStatus(listed)}`);

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
