import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type * as contracts from '@cobro/contracts/routes/api-keys.ts';
import type { Deps } from '../deps.ts';
import { changeKey } from '../registry/key.store.ts';
import { endNow } from '../registry/revoke-key.ts';
import { holderOf, lockKeyOf } from './holder.ts';

type Contract = typeof contracts.deleteApiKey;

/** The row stays, to show later who made the key and when it ended. Deleting it again gives the same answer. */
export async function deleteApiKey(
  { db, keyMode }: Deps,
  { caller, params: { id } }: InputOf<Contract>,
): Promise<AnswerOf<Contract>> {
  const now = new Date();
  await db.inTransaction(async (tx) => {
    const key = await lockKeyOf(tx, holderOf(caller, keyMode), id);
    if (key.deletedAt !== null) return;
    await endNow(tx, key, caller.personId, now);
    await changeKey(tx, id, { deletedAt: now });
  });
  return { status: 200, body: { success: true } };
}
