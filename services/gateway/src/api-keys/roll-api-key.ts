import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type * as contracts from '@cobro/contracts/routes/api-keys.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { Deps } from '../deps.ts';
import { spendKey } from '../door/rate-limit.ts';
import { publishEnd } from '../registry/key-event.ts';
import type { KeyRow } from '../registry/key.row.ts';
import { changeKey } from '../registry/key.store.ts';
import { endNow, hasEnded } from '../registry/revoke-key.ts';
import { holderOf, lockKeyOf } from './holder.ts';
import { makeKeyOfForm } from './key-of-form.ts';

type Contract = typeof contracts.rollApiKey;

/** Locks the old key first: if two rolls, or a roll and a revocation, run at once, the second sees what the first did. */
export async function rollApiKey(
  { db, keyMode, keyLimit, keySecret }: Deps,
  { caller, params: { id }, readBody }: InputOf<Contract>,
): Promise<AnswerOf<Contract>> {
  const { oldKeyLivesForSeconds: seconds, externalId } = readBody();
  const holder = holderOf(caller, keyMode);
  await spendKey(keyLimit, caller);
  const { answer, isReplay } = await db.inTransaction(async (tx) => {
    const old = await lockKeyOf(tx, holder, id);
    const asked = { holder, name: old.name, personId: caller.personId, externalId, replaces: { id, seconds } };
    const made = await makeKeyOfForm(tx, keySecret, asked);
    if (!made.isReplay) await endReplaced(tx, old, caller.personId, seconds);
    return made;
  });
  return { status: 201, body: answer, ...(isReplay && { headers: { 'Idempotent-Replayed': 'true' } }) };
}

/** @throws Refusal 409, which also undoes the new key */
async function endReplaced(tx: Tx, old: KeyRow, by: string, seconds: number): Promise<void> {
  const now = new Date();
  if (old.deletedAt !== null || old.revokeAt !== null || hasEnded(old, now)) throw new Refusal('API_KEY_NOT_ACTIVE');
  if (seconds === 0) return void (await endNow(tx, old, by, now));
  const revokeAt = new Date(now.getTime() + seconds * 1_000);
  publishEnd(tx, await changeKey(tx, old.id, { revokeAt }), by, revokeAt);
}
