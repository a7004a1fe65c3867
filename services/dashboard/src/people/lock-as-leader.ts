import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { SignedIn } from '../http/screen.ts';
import { findMembership, lockMembers } from './membership.store.ts';
import { leadingRole } from './roles.rules.ts';

/**
 * Locks the scope's members until this transaction ends, and checks that the person still leads it.
 * @throws Refusal FORBIDDEN if the person has lost the role since the page was shown
 */
export async function lockAsLeader(tx: Tx, { scope, person }: SignedIn): Promise<void> {
  lockMembers(tx, scope);
  const own = await findMembership(tx, scope, person.id);
  if (own?.role !== leadingRole(scope.kind)) throw new Refusal('FORBIDDEN');
}
