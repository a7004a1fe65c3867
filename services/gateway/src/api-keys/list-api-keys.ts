import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type * as contracts from '@cobro/contracts/routes/api-keys.ts';
import type { Deps } from '../deps.ts';
import { showKey } from './api-key-answer.ts';
import { countKeys, listKeys } from './api-key.store.ts';
import { holderOf } from './holder.ts';

type Contract = typeof contracts.listApiKeys;

export async function listApiKeys(
  { db, keyMode }: Deps,
  { caller, query }: InputOf<Contract>,
): Promise<AnswerOf<Contract>> {
  const holder = holderOf(caller, keyMode);
  const [count, rows] = await Promise.all([countKeys(db, holder), listKeys(db, holder, query)]);
  const now = new Date();
  return { status: 200, body: { count, ...query, items: rows.map((row) => showKey(row, now)) } };
}
