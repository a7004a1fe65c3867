import { newId } from '@cobro/contracts/ids.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { recordAudit } from '../audit/audit.store.ts';
import type { Deps } from '../deps.ts';
import type { HalfSignedIn } from '../http/screen.ts';
import type { Visit } from '../http/visit.ts';
import { useInvitation } from '../people/invitation.store.ts';
import { listMemberships, lockMembers, putMembership } from '../people/membership.store.ts';
import { beginSession, deviceCookie } from '../sessions/begin-session.ts';
import { endSession } from '../sessions/session.store.ts';

/**
 * The second factor was shown: a new session takes the place of the half one, in the scope of the invitation that it accepts, or in the only
 * one there is. Gives the cookies.
 */
export async function finishSignIn(deps: Deps, visit: HalfSignedIn): Promise<string[]> {
  const { session } = visit;
  const cookie = await deps.db.inTransaction(async (tx) => {
    const now = new Date();
    await endSession(tx, session.id, now);
    const joined = await join(tx, visit, now);
    const memberships = await listMemberships(tx, session.personId);
    const membershipId = joined ?? (memberships.length === 1 ? (memberships[0]?.id ?? null) : null);
    const full = {
      personId: session.personId,
      stage: 'full',
      membershipId,
      invitationId: null,
      provedAt: now,
    } as const;
    await recordAudit(tx, { ...ofSignIn(visit), personId: session.personId });
    return beginSession(tx, deps, visit, full, now);
  });
  return [cookie, deviceCookie(deps, session.personId)];
}

const ofSignIn = ({ from, requestId }: Visit) =>
  ({ scope: null, what: 'sign-in', outcome: 'done', address: from, requestId }) as const;

/** An invitation that was withdrawn meanwhile, or used in another browser, gives nothing. */
async function join(tx: Tx, { session, from, requestId }: HalfSignedIn, now: Date): Promise<string | undefined> {
  if (session.invitationId === null) return undefined;
  const used = await useInvitation(tx, session.invitationId, now);
  if (used === undefined || used.purpose !== 'join' || used.scope === null || used.role === null) return undefined;
  const scope = { kind: used.scope, id: used.scopeId };
  lockMembers(tx, scope);
  const member = { id: newId(now.getTime()), personId: session.personId, scope, role: used.role, createdAt: now };
  const { id } = await putMembership(tx, member);
  const { personId } = session;
  await recordAudit(tx, {
    personId,
    scope,
    what: 'people.join',
    target: used.role,
    outcome: 'done',
    address: from,
    requestId,
  });
  return id;
}
