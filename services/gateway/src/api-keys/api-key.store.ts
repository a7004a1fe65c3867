import { type Queries, sql, type Sql } from '@cobro/postgres/database.ts';
import { type KeyRow, keyTable } from '../registry/key.row.ts';
import type { KeyHolder } from '../registry/key.store.ts';

/** The keys of a merchant in this deployment's mode, or of a sales partner, without deleted ones. */
const ofHolder = (holder: KeyHolder): Sql =>
  holder.kind === 'merchant'
    ? sql`organization_id = ${holder.organizationId} and kind = 'merchant' and mode = ${holder.mode} and deleted_at is null`
    : sql`partner_id = ${holder.kind === 'partner' ? holder.partnerId : null} and deleted_at is null`;

export const listKeys = (queries: Queries, holder: KeyHolder, { page, pageSize }: { page: number; pageSize: number }) =>
  queries.many<KeyRow>(sql`
    select ${keyTable.list} from api_keys where ${ofHolder(holder)}
    order by created_at desc, id desc limit ${pageSize} offset ${(page - 1) * pageSize}`);

export const countKeys = async (queries: Queries, holder: KeyHolder): Promise<number> =>
  (await queries.one<{ count: number }>(sql`select count(*)::int as count from api_keys where ${ofHolder(holder)}`))
    .count;
