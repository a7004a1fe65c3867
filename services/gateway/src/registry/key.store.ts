import { type Queries, sql } from '@cobro/postgres/database.ts';
import { type KeyRow, keyTable } from './key.row.ts';
import type { KeyMode } from './key.rules.ts';

const columns = keyTable.list;
const inserting = keyTable.inserting(
  'id',
  'kind',
  'mode',
  'organizationId',
  'partnerId',
  'terminalId',
  'hash',
  'lastFour',
  'name',
  'createdBy',
  'createdAt',
  'requestHash',
);

/** Who holds the key. */
export type KeyHolder =
  | { kind: 'merchant'; mode: KeyMode; organizationId: string }
  | { kind: 'partner'; partnerId: string }
  | { kind: 'terminal'; terminalId: string; organizationId: string };

export interface ActiveKey {
  id: string;
  organizationId: string | null;
  partnerId: string | null;
  terminalId: string | null;
  /** When it ends by itself. */
  revokeAt: Date | null;
}

export interface ListedKey {
  id: string;
  kind: string;
  mode: string | null;
  organizationId: string | null;
  partnerId: string | null;
  terminalId: string | null;
  lastFour: string;
  name: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokeAt: Date | null;
  revokedAt: Date | null;
}

/** Returns undefined and inserts nothing if the form was sent before. Waits for another request that is inserting its key. */
export const insertKey = (queries: Queries, key: Parameters<typeof inserting>[0]) =>
  queries.maybe<KeyRow>(sql`
    insert into api_keys ${inserting(key)} on conflict (request_hash) do nothing returning ${columns}`);

export const findKeyOfRequest = (queries: Queries, requestHash: Buffer) =>
  queries.maybe<KeyRow>(sql`select ${columns} from api_keys where request_hash = ${requestHash}`);

/** Each change that publishes an event takes this lock first, so that events have the order of the changes. */
export const lockKey = (tx: Queries, id: string) =>
  tx.maybe<KeyRow>(sql`select ${columns} from api_keys where id = ${id} for update`);

/** Every replica's key cache forgets the key within a second. */
export const changeKey = (
  tx: Queries,
  id: string,
  changes: Pick<Partial<KeyRow>, 'revokeAt' | 'revokedAt' | 'deletedAt'>,
) =>
  tx.one<KeyRow>(sql`
    update api_keys set ${keyTable.setting(changes)}, version = version + 1, changed_in = pg_current_xact_id()
    where id = ${id} returning ${columns}`);

/** Uses the database's clock, so that a replica with a fast clock does not end a key for all others. */
export const endRolled = (queries: Queries) =>
  queries.run(sql`
    update api_keys set revoked_at = revoke_at, version = version + 1, changed_in = pg_current_xact_id()
    where id in (
      select id from api_keys where revoked_at is null and revoke_at <= now()
      order by id for no key update skip locked)`);

export function findActiveKey(db: Queries, hash: string): Promise<ActiveKey | undefined> {
  return db.maybe(sql`
    select id, organization_id as "organizationId", partner_id as "partnerId", terminal_id as "terminalId",
      revoke_at as "revokeAt"
    from api_keys where hash = ${Buffer.from(hash, 'hex')} and revoked_at is null`);
}

export interface KeyChanges {
  /** Hashes of the keys that were made or changed. */
  hashes: string[];
  /** The position from which to ask next time. */
  position: string;
}

/**
 * The keys that changed since `position`, some of them twice. A position is the oldest transaction that was still open, so that
 * no later commit is missed. Undefined means "from now on". Rows of a restored dump carry transaction numbers of another server;
 * numbers that this server has not reached yet are ignored.
 */
export function findChangedKeys(db: Queries, position: string | undefined): Promise<KeyChanges> {
  return db.one(sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as position,
      array(
        select encode(hash, 'hex') from api_keys
        where changed_in >= ${position ?? null}::xid8 and changed_in < pg_snapshot_xmax(pg_current_snapshot())
      ) as hashes`);
}

export function listAllKeys(db: Queries): Promise<ListedKey[]> {
  return db.many(sql`
    select id, kind, mode, organization_id as "organizationId", partner_id as "partnerId", terminal_id as "terminalId",
      last_four as "lastFour", name, created_at as "createdAt", last_used_at as "lastUsedAt", revoke_at as "revokeAt",
      revoked_at as "revokedAt"
    from api_keys order by created_at, id`);
}

/**
 * Leaves `changed_in` alone, so that no cache forgets a key because it was used. Locks the keys in the order of their ids, because
 * replicas that write the same keys would otherwise wait for each other.
 */
export function writeUses(queries: Queries, uses: readonly { id: string; at: Date }[]): Promise<number> {
  const ids = uses.map(({ id }) => id);
  return queries.run(sql`
    with locked as materialized (
      select id from api_keys where id = any(${ids}::uuid[]) order by id for no key update
    )
    update api_keys set last_used_at = used.at
    from unnest(${ids}::uuid[], ${uses.map(({ at }) => at)}::timestamptz[]) as used (id, at) join locked using (id)
    where api_keys.id = used.id and (last_used_at is null or last_used_at < used.at)`);
}
