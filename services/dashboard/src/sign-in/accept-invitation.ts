import { invitationPage, type InvitationView } from '@cobro/dashboard/account/invitation.ts';
import { signInPage } from '@cobro/dashboard/account/sign-in.ts';
import { accountWords } from '@cobro/dashboard/account/words.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { text } from '@cobro/contracts/text.ts';
import { recordAudit } from '../audit/audit.store.ts';
import type { Deps } from '../deps.ts';
import { cookiesOf } from '../http/cookies.ts';
import { nameOfScope, show } from '../http/show.ts';
import { type Answer, field, redirect, type Visit } from '../http/visit.ts';
import type { InvitationRow } from '../people/invitation.row.ts';
import { findOpenInvitation, useInvitation } from '../people/invitation.store.ts';
import { hashOfToken } from '../people/link.ts';
import { deletePasskeys } from '../passkeys/passkey.store.ts';
import { lockMemberships, mayReset } from '../people/membership.store.ts';
import { findOrganizationName } from '../people/organization.store.ts';
import type { PersonRow } from '../people/person.row.ts';
import { changePassword, findPersonByEmail, insertPerson, lockPerson } from '../people/person.store.ts';
import { beginHalfSession, beginSession, deviceCookie } from '../sessions/begin-session.ts';
import { endSession, endSessions, findSession } from '../sessions/session.store.ts';
import { deleteFactors, listFactors } from './factor.store.ts';
import { signOnOf } from '../sign-on/sign-on.store.ts';
import { hashPassword, isLongEnough } from './password.ts';
import { tryPassword } from './try-password.ts';

const personName = text(100);

/** GET /invitation/:token. Ends the browser's earlier session, so that the invited person does not act in it. */
export async function showInvitation(deps: Deps, visit: Visit): Promise<Answer> {
  const invitation = await openInvitation(deps, visit);
  if (invitation === undefined) return deadLink(deps, visit);
  const cleared = visit.sessionToken === undefined ? [] : [cookiesOf(deps.baseUrl).clear('session')];
  if (visit.sessionToken !== undefined) {
    const now = new Date();
    const other = await findSession(deps.db, hashOfToken(visit.sessionToken), now);
    if (other !== undefined) await endSession(deps.db, other.id, now);
    // Here the form would be bound to the session cookie that this answer clears, so the page is loaded again without it.
    return redirect(visit.address, ...cleared);
  }
  const view = await viewOf(deps, visit, invitation);
  return show(deps, visit, (frame) => invitationPage(frame, view));
}

/** POST /invitation/:token */
export async function acceptInvitation(deps: Deps, visit: Visit): Promise<Answer> {
  const invitation = await openInvitation(deps, visit);
  if (invitation === undefined) return deadLink(deps, visit);
  if (invitation.purpose === 'sign-in') return signInByLink(deps, visit, invitation);
  const view = await viewOf(deps, visit, invitation);
  const again = (status: number, problem: string) =>
    show(deps, visit, (frame) => invitationPage(frame, { ...view, name: field(visit.form, 'name'), status, problem }));
  const password = visit.form.get('password') ?? '';
  const { problems } = accountWords[visit.language];
  if (invitation.purpose === 'join' && view.hasAccount) return signInToJoin(deps, visit, invitation, again);
  if (!isLongEnough(password)) return again(400, problems.badPassword);
  if (invitation.purpose === 'reset') return resetPassword(deps, visit, invitation, password);
  const name = personName.safeParse(field(visit.form, 'name'));
  if (!name.success || name.data === '') return again(400, problems.badName);
  const now = new Date();
  const person = await insertPerson(deps.db, {
    id: newId(now.getTime()),
    email: invitation.email,
    name: name.data,
    passwordHash: await hashPassword(invitation.email, password),
    language: visit.language,
    createdAt: now,
  });
  // Somebody else was quicker with the same link, and has the account.
  if (person === undefined) return again(400, problems.wrongPassword);
  return goOn(deps, visit, person, invitation.id);
}

const openInvitation = async ({ db, isTestMode }: Deps, { params }: Visit): Promise<InvitationRow | undefined> => {
  const found = await findOpenInvitation(db, hashOfToken(params['token'] ?? ''), new Date());
  return found?.purpose === 'sign-in' && !isTestMode ? undefined : found;
};

function deadLink(deps: Deps, visit: Visit): Answer {
  const problem = accountWords[visit.language].problems.deadLink;
  return show(deps, visit, (frame) =>
    signInPage(frame, { email: '', next: '/', problem, status: 404, passkey: undefined }),
  );
}

async function viewOf({ db }: Deps, { params, language }: Visit, invitation: InvitationRow): Promise<InvitationView> {
  const { purpose, email, scope, scopeId, role, resetsFactor } = invitation;
  const name = scope === 'organization' ? ((await findOrganizationName(db, scopeId ?? '')) ?? null) : null;
  return {
    action: `/invitation/${params['token']}`,
    purpose,
    email,
    ...(scope !== null && { scopeName: nameOfScope(language, scope, name) }),
    ...(role !== null && { role }),
    hasAccount: (await findPersonByEmail(db, email)) !== undefined,
    resetsFactor,
    issuer: scope === null ? null : ((await signOnOf(db, { kind: scope, id: scopeId }))?.issuer ?? null),
  };
}

/** The invited person has an account, perhaps begun by this link: checks its password; its factor or a new one follows. */
async function signInToJoin(
  deps: Deps,
  visit: Visit,
  { id, email }: InvitationRow,
  again: (status: number, problem: string) => Answer,
): Promise<Answer> {
  const tried = await tryPassword(deps, visit, { email, password: visit.form.get('password') ?? '' });
  if ('wrong' in tried) return again(tried.wrong.status, tried.wrong.problem);
  return goOn(deps, visit, tried.person, id);
}

/** Goes on to the second factor, or to setting one up. */
async function goOn(deps: Deps, visit: Visit, person: PersonRow, invitationId: string): Promise<Answer> {
  const cookie = await beginHalfSession(deps, visit, person, invitationId);
  if (cookie === undefined) return deadLink(deps, visit);
  const hasFactor = (await listFactors(deps.db, person.id)).length > 0;
  return redirect(hasFactor ? '/sign-in/factor?next=/' : '/second-factor', cookie);
}

/** Sets a new password, ends every session and uses the link up. With `resetsFactor` a new factor is to follow. */
async function resetPassword(deps: Deps, visit: Visit, invitation: InvitationRow, password: string): Promise<Answer> {
  const passwordHash = await hashPassword(invitation.email, password);
  const person = await findPersonByEmail(deps.db, invitation.email);
  if (person === undefined) return deadLink(deps, visit);
  const reset = await deps.db.inTransaction(async (tx) => {
    const now = new Date();
    await lockPerson(tx, person.id);
    // Since it was made, its maker may have left, or the person may have joined others.
    if (invitation.madeBy !== null && !(await mayReset(tx, invitation.madeBy, person.id))) return false;
    if ((await useInvitation(tx, invitation.id, now)) === undefined) return false;
    if (invitation.resetsFactor) {
      deleteFactors(tx, person.id);
      deletePasskeys(tx, person.id);
    }
    await changePassword(tx, person.id, passwordHash);
    await endSessions(tx, person.id, now);
    const { from: address, requestId } = visit;
    const what = invitation.resetsFactor ? 'password-and-factor.reset' : 'password.reset';
    await recordAudit(tx, { personId: person.id, scope: null, what, outcome: 'done', address, requestId });
    return true;
  });
  if (!reset) return deadLink(deps, visit);
  return invitation.resetsFactor
    ? goOn(deps, visit, { ...person, passwordHash }, invitation.id)
    : redirect('/sign-in?changed=yes');
}

/** In a demo or a test the link alone signs in, once. */
async function signInByLink(deps: Deps, visit: Visit, { id, email }: InvitationRow): Promise<Answer> {
  const person: PersonRow | undefined = await findPersonByEmail(deps.db, email);
  if (person === undefined) return deadLink(deps, visit);
  const { db } = deps;
  const cookie = await db.inTransaction(async (tx) => {
    const now = new Date();
    await lockPerson(tx, person.id);
    if ((await useInvitation(tx, id, now)) === undefined) return undefined;
    const [first] = await lockMemberships(tx, person.id);
    const personId = person.id;
    const full = {
      personId,
      stage: 'full',
      membershipId: first?.id ?? null,
      invitationId: null,
      provedAt: now,
    } as const;
    const { from: address, requestId } = visit;
    await recordAudit(tx, { personId, scope: null, what: 'sign-in.by-link', outcome: 'done', address, requestId });
    return beginSession(tx, deps, visit, full, now);
  });
  return cookie === undefined ? deadLink(deps, visit) : redirect('/', cookie, deviceCookie(deps, person.id));
}
