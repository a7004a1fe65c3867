import { createHash, createHmac } from 'node:crypto';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import type { CreatedApiKey } from '@cobro/contracts/api-keys.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { insertNewKey } from '../registry/create-key.ts';
import { hashOfKey } from '../registry/key-hash.ts';
import { formatKey } from '../registry/key.rules.ts';
import { findKeyOfRequest, type KeyHolder } from '../registry/key.store.ts';
import { showKey } from './api-key-answer.ts';

/** What a form asks for. */
export interface AskedKey {
  holder: KeyHolder;
  name: string | null;
  personId: string;
  /** The form's own id. */
  externalId: string;
  /** The key that this one replaces, and how long the old one still works. */
  replaces?: { id: string; seconds: number };
}

interface Made {
  answer: CreatedApiKey;
  /** True if the form was sent before, so nothing was made now. */
  isReplay: boolean;
}

/** Long enough for a second click, or for a form sent again because no answer came. Later the key is not shown any more. */
const SHOWN_FOR_MS = 2 * 60_000;

/**
 * Makes the key of a form. A form that is sent again shows the same key: browsers show the answer to the second click, so a key that only
 * the first answer had would be lost. The key is therefore computed from the form and a secret, and only its hash is kept.
 * @throws Refusal 409
 */
export async function makeKeyOfForm(tx: Tx, secret: Secret<Buffer>, asked: AskedKey): Promise<Made> {
  const { holder, name, personId } = asked;
  const key = formatKey(holder, bytesOf(secret, asked));
  const requestHash = requestHashOf(asked);
  const made = await insertNewKey(tx, holder, key, { name, createdBy: personId, requestHash });
  const row = made ?? (await findKeyOfRequest(tx, requestHash));
  if (row === undefined) throw new Error('the key of this form is neither new nor there');
  if (row.hash.toString('hex') !== hashOfKey(key)) throw new Refusal('EXTERNAL_ID_MISMATCH');
  const now = new Date();
  if (now.getTime() - row.createdAt.getTime() > SHOWN_FOR_MS) throw new Refusal('API_KEY_SHOWN_BEFORE');
  return { answer: { ...showKey(row, now), key }, isReplay: made === undefined };
}

const bytesOf = (secret: Secret<Buffer>, { holder, name, personId, externalId, replaces }: AskedKey): Buffer =>
  createHmac('sha256', secret.reveal())
    .update(JSON.stringify([idOf(holder), name, personId, externalId, replaces?.id, replaces?.seconds]))
    .digest();

const requestHashOf = ({ holder, externalId }: AskedKey): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([idOf(holder), externalId]))
    .digest();

const idOf = (holder: KeyHolder): string => (holder.kind === 'partner' ? holder.partnerId : holder.organizationId);
