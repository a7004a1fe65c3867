import { newId } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { recordAudit } from '../audit/audit.store.ts';
import type { Deps } from '../deps.ts';
import type { Visit } from '../http/visit.ts';
import { listPasskeys } from '../passkeys/passkey.store.ts';
import { findInvitation, useInvitation, withdrawInvitations } from '../people/invitation.store.ts';
import { hashOfToken } from '../people/link.ts';
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
import { endSession, endSessionByToken } from '../sessions/session.store.ts';
import type { SignOn } from '../sign-on/sign-on.store.ts';

/** By what somebody has shown who they are. */
export type Proof = 'totp' | 'recovery-code' | 'passkey' | 'oidc';

/** Who comes in. */
export interface Entering {
  /** Of the half session, if a password was shown first. */
  id: string | null;
  personId: string;
  email: string;
  invitationId: string | null;
  /** By which they come. */
  passkeyId?: string;
  /** Of the issuer that vouches for this person, in its scope alone. */
  signOn?: SignOn;
}

/**
 * The second factor was shown: a new session takes the place of the half one, in the scope of the invitation that it accepts, or in the only
 * one there is, or of the issuer that vouches. Gives the cookies; undefined where the half session has ended meanwhile, or the passkey was
 * deleted. A recovery code and an issuer's older word sign in, and are no proof for what is dangerous. `prepare` comes first in the same
 * transaction.
 * @throws Refusal NOT_FOUND where the person does not belong to the issuer's scope
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
    // A reset has deleted it, and a sign-in without a half session would outlive that.
    if (passkeyId !== undefined && !(await listPasskeys(tx, personId)).some(({ id }) => id === passkeyId))
      return undefined;
    if (entering.id !== null && (await endSession(tx, entering.id, now)) === 0) return undefined;
    // The new cookie takes the place of another one's, whose session nobody could end in this browser any more.
    if (signOn !== undefined && visit.sessionToken !== undefined)
      endSessionByToken(tx, hashOfToken(visit.sessionToken), now);
    const joined = await join(tx, visit, entering, now);
    const memberships = await lockMemberships(tx, personId);
    const there =
      signOn && memberships.find(({ kind, scopeId }) => kind === signOn.scope && scopeId === signOn.scopeId);
    if (signOn !== undefined && there === undefined) throw new Refusal('NOT_FOUND');
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
  // A browser that an issuer vouched for has shown nothing that a password's count could go by.
  return signOn === undefined ? [cookie, deviceCookie(deps, personId)] : [cookie];
}

/**
 * An invitation that was withdrawn meanwhile, used in another browser, or is no longer its maker's to give, gives nothing. Whoever belongs there
 * already keeps the role, unless an operator's invitation gives the leading one.
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
  // A look that is lent is no belonging. Its sessions end with it.
  if (already !== undefined && already.lentUntil !== null) await deleteMembership(tx, already.id);
  else if (already !== undefined) {
    if (invitedBy === null && role === leadingRole(kind)) await changeRole(tx, already.id, role);
    return already.id;
  }
  const id = newId(now.getTime());
  await insertMembership(tx, { id, personId, scope, role, createdAt: now, invitedBy });
  // Another invitation of the same person would be a way back in for whoever is removed.
  await withdrawInvitations(tx, scope, { email }, now);
  const what = `people.join.${role}` as const;
  await recordAudit(tx, { personId, scope, what, target, outcome: 'done', address, requestId });
  return id;
}
