import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { SignedIn } from '../http/screen.ts';
import { findMembership, lockMembers } from './membership.store.ts';
import { leadingRole } from './roles.rules.ts';

/**
 * Whoever acts may have lost the role since the page came, or loses it at this moment. Until this transaction ends the members stay.
 * @throws Refusal FORBIDDEN
 */
export async function lockAsLeader(tx: Tx, { scope, person }: SignedIn): Promise<void> {
  lockMembers(tx, scope);
  const own = await findMembership(tx, scope, person.id);
  if (own?.role !== leadingRole(scope.kind)) throw new Refusal('FORBIDDEN');
}
