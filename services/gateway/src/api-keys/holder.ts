import type { CallerOf } from '@cobro/contracts/caller.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { KeyRow } from '../registry/key.row.ts';
import type { KeyMode } from '../registry/key.rules.ts';
import { type KeyHolder, lockKey } from '../registry/key.store.ts';

/** Whose keys a person sees and makes: of the scope in which they act, in the mode of this deployment. */
export const holderOf = ({ scope }: CallerOf<'person'>, mode: KeyMode): KeyHolder =>
  scope.kind === 'organization'
    ? { kind: 'merchant', mode, organizationId: scope.organizationId }
    : { kind: 'partner', partnerId: scope.partnerId };

/** Also one that was deleted. @throws Refusal 404 where it is another's, or a terminal's */
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
