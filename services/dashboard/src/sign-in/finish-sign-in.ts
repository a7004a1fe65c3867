import { newId } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { recordAudit } from '../audit/audit.store.ts';
import type { Deps } from '../deps.ts';
import type { Visit } from '../http/visit.ts';
import { listPasskeys } from '../passkeys/passkey.store.ts';
import { findInvitation, useInvitation, withdrawInvitations } from '../people/invitation.store.ts';
import {
  changeRole,
  deleteMembership,
  findMembership,
  insertMembership,
  lockMembers,
  lockMemberships,
} from '../people/membership.store.ts';
import { lockPerson } from '../people/person.store.ts';
import { leadingRole } from '../people/roles.rules.ts';
import { beginSession, deviceCookie } from '../sessions/begin-session.ts';
import { endSession } from '../sessions/session.store.ts';
import { holdFacts, type SignOn } from '../sign-on/sign-on.store.ts';

/** How the person has proved who they are. */
export type Proof = 'totp' | 'recovery-code' | 'passkey' | 'oidc';

/** The person who signs in. */
export interface Entering {
  /** The id of the half session, if a password was shown first. */
  id: string | null;
  personId: string;
  email: string;
  invitationId: string | null;
  /** The passkey that was used. */
  passkeyId?: string;
  /** The issuer that vouches for this person, in its scope only. */
  signOn?: SignOn;
}

/**
 * Replaces the half session by a full one, once the second factor was shown. Its scope is the issuer's, the accepted invitation's, or the
 * person's only one. Returns the cookies; undefined if the half session has ended, or the passkey was deleted meanwhile. A recovery code
 * and an issuer's sign-in do not allow dangerous actions. `prepare` runs first in the same transaction.
 * @throws Refusal NOT_FOUND if the person does not belong to the issuer's scope, or its facts were entered anew meanwhile
 */
export async function finishSignIn(
  deps: Deps,
  visit: Visit,
  entering: Entering,
  proof: Proof,
  prepare?: (tx: Tx) => Promise<void>,
): Promise<string[] | undefined> {
  const { from: address, requestId } = visit;
  const { personId, signOn, passkeyId } = entering;
  const cookie = await deps.db.inTransaction(async (tx) => {
    const now = new Date();
    await prepare?.(tx);
    await lockPerson(tx, personId);
    // A reset may have deleted the passkey, and without a half session nothing else would stop this sign-in.
    if (passkeyId !== undefined && !(await listPasskeys(tx, personId)).some(({ id }) => id === passkeyId))
      return undefined;
    if (entering.id !== null && (await endSession(tx, entering.id, now)) === 0) return undefined;
    const joined = await join(tx, visit, entering, now);
    const memberships = await lockMemberships(tx, personId);
    const there =
      signOn && memberships.find(({ kind, scopeId }) => kind === signOn.scope && scopeId === signOn.scopeId);
    if (signOn !== undefined && (there === undefined || !(await holdFacts(tx, signOn)))) throw new Refusal('NOT_FOUND');
    const only = memberships.length === 1 ? memberships[0]?.id : undefined;
    const membershipId = there?.id ?? joined ?? only ?? null;
    const provedAt = proof === 'totp' || proof === 'passkey' ? now : null;
    const full = {
      personId,
      stage: 'full',
      membershipId,
      invitationId: null,
      provedAt,
      signOnId: signOn?.id ?? null,
    } as const;
    const what = `sign-in.${proof}` as const;
    const scope = signOn === undefined ? null : { kind: signOn.scope, id: signOn.scopeId };
    await recordAudit(tx, { personId, scope, what, outcome: 'done', address, requestId });
    return beginSession(tx, deps, visit, full, now);
  });
  if (cookie === undefined) return undefined;
  // After an issuer's sign-in no password was shown, so the browser gets no count of its own.
  return signOn === undefined ? [cookie, deviceCookie(deps, personId)] : [cookie];
}

/**
 * Accepts the invitation and returns the membership's id; undefined if it was withdrawn or used meanwhile, or its maker may no longer give
 * it. A member keeps the role, unless an operator's invitation gives the leading one.
 */
async function join(
  tx: Tx,
  { from: address, requestId }: Visit,
  entering: Entering,
  now: Date,
): Promise<string | undefined> {
  const { personId, email, invitationId } = entering;
  const invitation = invitationId === null ? undefined : await findInvitation(tx, invitationId);
  if (invitation === undefined || invitation.scope === null || invitation.role === null) return undefined;
  const { id: target, scope: kind, scopeId, role, madeBy: invitedBy } = invitation;
  const scope = { kind, id: scopeId };
  lockMembers(tx, scope);
  if ((await useInvitation(tx, target, now)) === undefined) return undefined;
  const already = await findMembership(tx, scope, personId);
  // A lent look does not make a member. Its sessions end with it.
  if (already !== undefined && already.lentUntil !== null) await deleteMembership(tx, already.id);
  else if (already !== undefined) {
    if (invitedBy === null && role === leadingRole(kind)) await changeRole(tx, already.id, role);
    return already.id;
  }
  const id = newId(now.getTime());
  await insertMembership(tx, { id, personId, scope, role, createdAt: now, invitedBy });
  // By another invitation a person who is removed could come back.
  await withdrawInvitations(tx, scope, { email }, now);
  const what = `people.join.${role}` as const;
  await recordAudit(tx, { personId, scope, what, target, outcome: 'done', address, requestId });
  return id;
}
