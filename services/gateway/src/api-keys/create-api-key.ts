import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type * as contracts from '@cobro/contracts/routes/api-keys.ts';
import type { Deps } from '../deps.ts';
import { spendKey } from '../door/rate-limit.ts';
import { holderExists } from '../registry/create-key.ts';
import { holderOf } from './holder.ts';
import { makeKeyOfForm } from './key-of-form.ts';

type Contract = typeof contracts.createApiKey;

export async function createApiKey(
  { db, keyMode, keyLimit, keySecret }: Deps,
  { caller, readBody }: InputOf<Contract>,
): Promise<AnswerOf<Contract>> {
  const { name, externalId } = readBody();
  const holder = holderOf(caller, keyMode);
  await spendKey(keyLimit, caller);
  if (!(await holderExists(db, holder))) throw new Refusal('NOT_FOUND');
  const asked = { holder, name, personId: caller.personId, externalId };
  const { answer, isReplay } = await db.inTransaction((tx) => makeKeyOfForm(tx, keySecret, asked));
  return { status: 201, body: answer, ...(isReplay && { headers: { 'Idempotent-Replayed': 'true' } }) };
}
