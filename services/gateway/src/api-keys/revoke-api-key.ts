import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type * as contracts from '@cobro/contracts/routes/api-keys.ts';
import type { Deps } from '../deps.ts';
import { endNow } from '../registry/revoke-key.ts';
import { showKey } from './api-key-answer.ts';
import { holderOf, lockKeyOf } from './holder.ts';

type Contract = typeof contracts.revokeApiKey;

/** Also revokes the last key: an owner who has lost it must be able to end it. */
export async function revokeApiKey(
  { db, keyMode }: Deps,
  { caller, params: { id } }: InputOf<Contract>,
): Promise<AnswerOf<Contract>> {
  const now = new Date();
  const ended = await db.inTransaction(async (tx) => {
    const key = await lockKeyOf(tx, holderOf(caller, keyMode), id);
    if (key.deletedAt !== null) throw new Refusal('API_KEY_NOT_FOUND');
    return endNow(tx, key, caller.personId, now);
  });
  return { status: 200, body: showKey(ended, now) };
}
