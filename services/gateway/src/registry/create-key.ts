import { randomBytes } from 'node:crypto';
import { newId } from '@cobro/contracts/ids.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { hashOfKey } from './key-hash.ts';
import { formatKey } from './key.rules.ts';
import { insertKey, type KeyHolder } from './key.store.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { organizationExists } from './organization.store.ts';
import { partnerExists } from './partner.store.ts';

/**
 * Makes a key of a merchant, of a partner, or of a terminal, whose record intents keeps. Returns the key itself, which nobody can read later: only its hash and its last four characters are stored. @throws
 * OperatorError
 */
export async function createKey(db: Database, holder: KeyHolder): Promise<{ id: string; key: Secret<string> }> {
  await requireHolder(db, holder);
  const id = newId();
  const key = formatKey(holder, randomBytes(32));
  await insertKey(db, { id, holder, hash: hashOfKey(key), lastFour: key.slice(-4) });
  return { id, key: new Secret(key) };
}

async function requireHolder(db: Database, holder: KeyHolder): Promise<void> {
  if (holder.kind !== 'partner') {
    if (await organizationExists(db, holder.organizationId)) return;
    throw new OperatorError(`There is no organization ${holder.organizationId}.`);
  }
  if (await partnerExists(db, holder.partnerId)) return;
  throw new OperatorError(`There is no partner ${holder.partnerId}.`);
}
