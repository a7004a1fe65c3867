import { randomBytes } from 'node:crypto';
import { newId } from '@cobro/contracts/ids.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import type { Database, Queries, Tx } from '@cobro/postgres/database.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { publishCreated } from './key-event.ts';
import { hashOfKey } from './key-hash.ts';
import type { KeyRow } from './key.row.ts';
import { formatKey } from './key.rules.ts';
import { insertKey, type KeyHolder } from './key.store.ts';
import { organizationExists } from './organization.store.ts';
import { partnerExists } from './partner.store.ts';

/**
 * Makes a key of a merchant, partner or terminal for an operator; intents keeps the terminal's record. Returns the key itself, which
 * nobody can read later: only its hash and its last four characters are stored. @throws OperatorError
 */
export async function createKey(db: Database, holder: KeyHolder): Promise<{ id: string; key: Secret<string> }> {
  if (!(await holderExists(db, holder))) throw new OperatorError(`There is no ${nameOf(holder)}.`);
  const key = formatKey(holder, randomBytes(32));
  const asked = { name: null, createdBy: null, requestHash: null };
  const made = await db.inTransaction((tx) => insertNewKey(tx, holder, key, asked));
  if (made === undefined) throw new Error('a new key exists already');
  return { id: made.id, key: new Secret(key) };
}

/** Inserts the key with its event. Returns undefined if this request has already made its key. */
export async function insertNewKey(
  tx: Tx,
  holder: KeyHolder,
  key: string,
  asked: Pick<KeyRow, 'name' | 'createdBy' | 'requestHash'>,
): Promise<KeyRow | undefined> {
  const now = new Date();
  const made = await insertKey(tx, {
    ...asked,
    id: newId(now.getTime()),
    kind: holder.kind,
    mode: holder.kind === 'merchant' ? holder.mode : null,
    organizationId: holder.kind === 'partner' ? null : holder.organizationId,
    partnerId: holder.kind === 'partner' ? holder.partnerId : null,
    terminalId: holder.kind === 'terminal' ? holder.terminalId : null,
    hash: Buffer.from(hashOfKey(key), 'hex'),
    lastFour: key.slice(-4),
    createdAt: now,
  });
  if (made !== undefined) publishCreated(tx, made);
  return made;
}

export const holderExists = (queries: Queries, holder: KeyHolder): Promise<boolean> =>
  holder.kind === 'partner'
    ? partnerExists(queries, holder.partnerId)
    : organizationExists(queries, holder.organizationId);

const nameOf = (holder: KeyHolder) =>
  holder.kind === 'partner' ? `partner ${holder.partnerId}` : `organization ${holder.organizationId}`;
