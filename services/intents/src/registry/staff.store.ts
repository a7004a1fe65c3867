import type { SalespersonStatus } from '@cobro/contracts/salespeople.ts';
import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import { column, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const record = {
  id: column<string>(),
  organizationId: column<string>(),
  name: column<string>(),
  version: column<number>(),
  createdAt: column<Date>(),
  /** Null if it was never changed. */
  updatedAt: column<Date | null>(),
  /** SHA-256 of the request as it was sent; null if an operator's command made it. */
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
/** With the branch's current name. */
const namedColumns = { ...salespersonColumns, branchName: column<string | null>() };
const namedTable = tableOf(namedColumns);
const people = sql`
  (select s.*, b.name as branch_name from salesperson s left join branch b on b.id = s.branch_id) as people`;
const named = sql`${salespersonTable.list}, (select name from branch where branch.id = branch_id) as "branchName"`;

export type BranchRow = RowOf<typeof branchColumns>;
export type SalespersonRow = RowOf<typeof namedColumns>;

const made = ['id', 'organizationId', 'name', 'createdAt', 'requestDigest'] as const;
const insertingBranch = branchTable.inserting(...made, 'externalId');
const insertingSalesperson = salespersonTable.inserting(...made, 'username', 'branchId');
export type NewBranch = Parameters<typeof insertingBranch>[0];
export type NewSalesperson = Parameters<typeof insertingSalesperson>[0];

/** Returns undefined if the externalId is taken. */
export const insertBranch = (tx: Tx, branch: NewBranch) =>
  tx.maybe<BranchRow>(sql`
    insert into branch ${insertingBranch(branch)}
    on conflict (organization_id, external_id) where external_id is not null do nothing
    returning ${branchTable.list}`);

/** Locks the row until the transaction ends, so that changes take turns. */
export const lockBranch = (tx: Tx, id: string) =>
  tx.maybe<BranchRow>(sql`select ${branchTable.list} from branch where id = ${id} for no key update`);

export const updateBranch = (tx: Tx, id: string, changes: Partial<Pick<BranchRow, 'name'>>, at: Date) =>
  tx.one<BranchRow>(sql`
    update branch set ${branchTable.setting({ ...changes, updatedAt: at })}, version = version + 1
    where id = ${id} returning ${branchTable.list}`);

export const findBranch = (queries: Queries, id: string) =>
  queries.maybe<BranchRow>(sql`select ${branchTable.list} from branch where id = ${id}`);

export const findBranchByExternalId = (queries: Queries, organizationId: string, externalId: string) =>
  queries.maybe<BranchRow>(sql`
    select ${branchTable.list} from branch where organization_id = ${organizationId} and external_id = ${externalId}`);

export const listAllBranches = (queries: Queries) =>
  queries.many<BranchRow>(sql`select ${branchTable.list} from branch order by created_at, id`);

/** Returns undefined if the organization has somebody with this username. */
export const insertSalesperson = (tx: Tx, salesperson: NewSalesperson) =>
  tx.maybe<SalespersonRow>(sql`
    insert into salesperson ${insertingSalesperson(salesperson)}
    on conflict (organization_id, username) do nothing returning ${named}`);

/** Locks in the same way. */
export const lockSalesperson = (tx: Tx, id: string) =>
  tx.maybe<SalespersonRow>(sql`select ${named} from salesperson where id = ${id} for no key update`);

export type StaffChanges = Partial<Pick<SalespersonRow, 'name' | 'status' | 'branchId'>>;

export const updateSalesperson = (tx: Tx, id: string, changes: StaffChanges, at: Date) =>
  tx.one<SalespersonRow>(sql`
    update salesperson set ${salespersonTable.setting({ ...changes, updatedAt: at })}, version = version + 1
    where id = ${id} returning ${named}`);

export const findSalesperson = (queries: Queries, id: string) =>
  queries.maybe<SalespersonRow>(sql`select ${namedTable.list} from ${people} where id = ${id}`);

export const findSalespersonByUsername = (queries: Queries, organizationId: string, username: string) =>
  queries.maybe<SalespersonRow>(sql`
    select ${namedTable.list} from ${people}
    where organization_id = ${organizationId} and username = ${username}`);

export const listAllSalespeople = (queries: Queries) =>
  queries.many<SalespersonRow>(sql`select ${namedTable.list} from ${people} order by created_at, id`);

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

export const salespeopleByStatus = (organizationId: string) => ({
  table: namedTable,
  from: sql`${people} where organization_id = ${organizationId}`,
  statuses: { ACTIVE: sql`status = 'ACTIVE'`, INACTIVE: sql`status = 'INACTIVE'` },
});

/** All of an organization, or those of one status. */
export interface ListedSalespeople {
  organizationId: string;
  status: SalespersonStatus | undefined;
}

const listed = ({ organizationId, status }: ListedSalespeople) => {
  const { from, statuses } = salespeopleByStatus(organizationId);
  return status === undefined ? from : sql`${from} and ${statuses[status]}`;
};

export const findSalespersonPage = (queries: Queries, { offset, limit, ...of }: ListedSalespeople & Page) =>
  queries.many<SalespersonRow>(sql`
    select ${namedTable.list} from ${listed(of)} order by created_at desc, id desc offset ${offset} limit ${limit}`);

export const countSalespeople = (queries: Queries, of: ListedSalespeople) =>
  queries.one<{ count: number }>(sql`select count(*)::int as count from ${listed(of)}`);

/** In the order of ids, as findSalespeopleAfter. */
export const findBranchesAfter = (queries: Queries, id: string, limit: number) =>
  queries.many<BranchRow>(sql`select ${branchTable.list} from branch where id > ${id} order by id limit ${limit}`);

export const findBranchesOfIds = (queries: Queries, ids: readonly string[]) =>
  queries.many<BranchRow>(sql`select ${branchTable.list} from branch where id = any(${ids}::uuid[])`);

export const findSalespeopleAfter = (queries: Queries, id: string, limit: number) =>
  queries.many<SalespersonRow>(sql`
    select ${namedTable.list} from ${people} where id > ${id} order by id limit ${limit}`);

export const findSalespeopleOfIds = (queries: Queries, ids: readonly string[]) =>
  queries.many<SalespersonRow>(sql`select ${namedTable.list} from ${people} where id = any(${ids}::uuid[])`);
