import { type Queries, sql } from '@cobro/postgres/database.ts';
import type { KeyMode } from './key.rules.ts';

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
}

export interface ListedKey {
  id: string;
  kind: string;
  mode: string | null;
  organizationId: string | null;
  partnerId: string | null;
  terminalId: string | null;
  lastFour: string;
  createdAt: Date;
  revokedAt: Date | null;
}

export function insertKey(db: Queries, key: { id: string; holder: KeyHolder; hash: string; lastFour: string }) {
  const { holder } = key;
  const mode = holder.kind === 'merchant' ? holder.mode : null;
  const organizationId = holder.kind === 'partner' ? null : holder.organizationId;
  const partnerId = holder.kind === 'partner' ? holder.partnerId : null;
  const terminalId = holder.kind === 'terminal' ? holder.terminalId : null;
  return db.run(sql`
    insert into api_keys (id, kind, mode, organization_id, partner_id, terminal_id, hash, last_four)
    values (${key.id}, ${holder.kind}, ${mode}, ${organizationId}, ${partnerId}, ${terminalId},
      ${Buffer.from(key.hash, 'hex')}, ${key.lastFour})`);
}

/** True where the key exists, even if it had been revoked before. */
export async function revokeKeyById(db: Queries, id: string): Promise<boolean> {
  const revoked = await db.run(sql`
    update api_keys set revoked_at = coalesce(revoked_at, now()), changed_in = pg_current_xact_id() where id = ${id}`);
  return revoked > 0;
}

export function findActiveKey(db: Queries, hash: string): Promise<ActiveKey | undefined> {
  return db.maybe(sql`
    select id, organization_id as "organizationId", partner_id as "partnerId", terminal_id as "terminalId"
    from api_keys where hash = ${Buffer.from(hash, 'hex')} and revoked_at is null`);
}

export interface KeyChanges {
  /** Hashes of the keys that were made or revoked. */
  hashes: string[];
  /** The position from which to ask next time. */
  position: string;
}

/**
 * The keys that changed since `position`, some of them twice. A position is the oldest transaction that was still open, so that
 * no later commit is missed. Undefined means "from now on". Rows of a restored dump carry numbers of another server's
 * transactions; numbers that this server has not come to yet mean no change here.
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
      last_four as "lastFour", created_at as "createdAt", revoked_at as "revokedAt"
    from api_keys order by created_at, id`);
}
