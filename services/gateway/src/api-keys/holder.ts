import type { CallerOf } from '@cobro/contracts/caller.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { KeyRow } from '../registry/key.row.ts';
import type { KeyMode } from '../registry/key.rules.ts';
import { type KeyHolder, lockKey } from '../registry/key.store.ts';

/** A person sees and makes keys of the scope they act in, in this deployment's mode. */
export const holderOf = ({ scope }: CallerOf<'person'>, mode: KeyMode): KeyHolder =>
  scope.kind === 'organization'
    ? { kind: 'merchant', mode, organizationId: scope.organizationId }
    : { kind: 'partner', partnerId: scope.partnerId };

/** Locks a key, also a deleted one. @throws Refusal 404 if it is another holder's or a terminal's */
export async function lockKeyOf(tx: Tx, holder: KeyHolder, id: string): Promise<KeyRow> {
  const key = await lockKey(tx, id);
  if (key === undefined || !isOf(key, holder)) throw new Refusal('API_KEY_NOT_FOUND');
  return key;
}

const isOf = (key: KeyRow, holder: KeyHolder): boolean => {
  if (key.kind !== holder.kind) return false;
  return holder.kind === 'partner'
    ? key.partnerId === holder.partnerId
    : key.organizationId === holder.organizationId && (holder.kind === 'terminal' || key.mode === holder.mode);
};
