import type { Database } from '@cobro/postgres/database.ts';
import { revokeKeyById } from './key.store.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';

/** Revokes a key for ever; every gateway refuses it within a second. Revoking it again changes nothing. @throws OperatorError */
export async function revokeKey(db: Database, id: string): Promise<void> {
  if (!(await revokeKeyById(db, id))) throw new OperatorError(`There is no key ${id}.`);
}
