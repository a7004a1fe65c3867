import type { Database, Tx } from '@cobro/postgres/database.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { publishEnd } from './key-event.ts';
import type { KeyRow } from './key.row.ts';
import { changeKey, lockKey } from './key.store.ts';

/**
 * Revokes a key for good, for an operator; every gateway refuses it within a second. Revoking it again changes nothing.
 * @throws OperatorError
 */
export async function revokeKey(db: Database, id: string): Promise<void> {
  await db.inTransaction(async (tx) => {
    const key = await lockKey(tx, id);
    if (key === undefined) throw new OperatorError(`There is no key ${id}.`);
    await endNow(tx, key, null, new Date());
  });
}

/** Ends a locked key and publishes its event. A key that has already ended stays as it is. */
export async function endNow(tx: Tx, key: KeyRow, by: string | null, now: Date): Promise<KeyRow> {
  if (hasEnded(key, now)) return key;
  const ended = await changeKey(tx, key.id, { revokedAt: now });
  publishEnd(tx, ended, by, now);
  return ended;
}

export const hasEnded = ({ revokedAt, revokeAt }: Pick<KeyRow, 'revokedAt' | 'revokeAt'>, now: Date): boolean =>
  revokedAt !== null || (revokeAt !== null && revokeAt <= now);
