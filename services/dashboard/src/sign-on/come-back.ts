import { createHash } from 'node:crypto';
import { issuerProblemPage } from '@cobro/dashboard/account/issuer-problem.ts';
import type { IssuerProblem } from '@cobro/dashboard/account/issuer-words.ts';
import { linkedPage } from '@cobro/dashboard/account/to-issuer.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { recordAudit } from '../audit/audit.store.ts';
import type { Deps } from '../deps.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect, type Visit } from '../http/visit.ts';
import { spendChallenge } from '../passkeys/passkey.store.ts';
import { findInvitation } from '../people/invitation.store.ts';
import { hashOfToken } from '../people/link.ts';
import { findPerson, findPersonByEmail, insertPerson, lockPerson } from '../people/person.store.ts';
import { leadingRole } from '../people/roles.rules.ts';
import { isProved } from '../sessions/session.rules.ts';
import { findSession, goesOn, type LiveSession } from '../sessions/session.store.ts';
import { stepUp } from '../sign-in/confirm.ts';
import { countAttempt } from '../sign-in/count-attempt.ts';
import { type Entering, finishSignIn } from '../sign-in/finish-sign-in.ts';
import { claimOfNetwork, forgiveNetwork } from '../sign-in/lock.store.ts';
import { IssuerFailed, subjectOf } from './issuer.ts';
import { nameOfPlace } from './name-of-place.ts';
import { findIdentity, findSignOn, holdFacts, insertIdentity, noteTested, type SignOn } from './sign-on.store.ts';
import { type Carried, endTrip } from './trip.ts';

/** A browser's trip, and the subject as whom it comes back. */
interface Back {
  trip: Carried;
  signOn: SignOn;
  subject: string;
}

/** GET /sign-in/oidc/:id/callback */
export async function comeBack(deps: Deps, visit: Visit): Promise<Answer> {
  const state = visit.query.get('state') ?? '';
  const trip = endTrip(deps, visit, state);
  // A code that was sent to one sign-on's address is not valid for another.
  const isHere = trip !== undefined && trip.signOnId === visit.params['id'];
  const signOn = isHere ? await findSignOn(deps.db, trip.signOnId) : undefined;
  if (trip === undefined || signOn === undefined) return problem(deps, visit, 'notBegun', 400);
  const { nonce, verifier, purpose } = trip;
  const spent = await spend(deps, visit, nonce);
  if (spent === 'network') countAttempt({ by: 'oidc', outcome: 'network' });
  if (spent === 'network') return problem(deps, visit, 'network', 429);
  if (spent === 'again') return problem(deps, visit, 'notBegun', 400);
  let subject: string;
  try {
    const search = `?${visit.query.toString()}`;
    subject = await subjectOf(deps, signOn, search, { state, nonce, verifier, isFresh: purpose === 'step-up' });
  } catch (error) {
    if (!(error instanceof IssuerFailed)) throw error;
    // An issuer that is away must not keep the people of a network out.
    if (error.isItsOwn) await deps.db.inTransaction(async (tx) => forgiveNetwork(tx, visit));
    return refusedByIssuer(deps, visit, error);
  }
  const back = { trip, signOn, subject };
  const answer = await actOn(deps, visit, back);
  if (answer.status < 400) await deps.db.inTransaction(async (tx) => forgiveNetwork(tx, visit));
  return answer;
}

async function actOn(deps: Deps, visit: Visit, back: Back): Promise<Answer> {
  const { purpose } = back.trip;
  if (purpose === 'sign-in') return signIn(deps, visit, back);
  if (purpose === 'join') return join(deps, visit, back);
  const session = await sessionOf(deps, visit);
  if (session === undefined) return problem(deps, visit, 'notBegun', 400);
  if (purpose === 'link') return link(deps, visit, back, session);
  if (purpose === 'test') return test(deps, visit, back, session);
  return confirm(deps, visit, back, session);
}

/** Each trip ends once. It counts as its network's failure until it succeeds. */
const spend = ({ db }: Deps, { network }: Visit, nonce: string): Promise<'network' | 'again' | 'once'> =>
  db.inTransaction(async (tx) => {
    if (!(await claimOfNetwork(tx, network))) return 'network';
    const hash = createHash('sha256').update(`sign-on trip ${nonce}`).digest();
    return (await spendChallenge(tx, hash, new Date())) ? 'once' : 'again';
  });

/** Issuer and subject alone identify the person: an e-mail from the issuer is ignored. */
async function signIn(deps: Deps, visit: Visit, { trip, signOn, subject }: Back): Promise<Answer> {
  const identity = await findIdentity(deps.db, signOn.id, subject);
  const person = identity && (await findPerson(deps.db, identity.personId));
  if (person === undefined) return stranger(deps, visit, signOn);
  const entering = { id: null, personId: person.id, email: person.email, invitationId: null, signOn };
  const cookies = await finishSignIn(deps, visit, entering, 'oidc');
  if (cookies === undefined) return stranger(deps, visit, signOn);
  countAttempt({ by: 'oidc', outcome: 'right' });
  return redirect(trip.next, ...cookies);
}

/** The invited person signs in as the subject from then on. If the e-mail has an account, its own sign-in has to come first. */
async function join(deps: Deps, visit: Visit, { trip, signOn, subject }: Back): Promise<Answer> {
  const invitation = trip.invitationId === null ? undefined : await findInvitation(deps.db, trip.invitationId);
  if (invitation === undefined) return problem(deps, visit, 'notBegun', 400);
  const { id: invitationId, email } = invitation;
  const known = await findIdentity(deps.db, signOn.id, subject);
  if (known === undefined && (await findPersonByEmail(deps.db, email)) !== undefined) {
    return problem(deps, visit, 'hasAccount', 409);
  }
  const personId = known?.personId ?? newId();
  const entering: Entering = { id: null, personId, email, invitationId, signOn };
  const cookies = await finishSignIn(deps, visit, entering, 'oidc', async (tx) => {
    if (known !== undefined) return;
    const { language } = visit;
    // This account has no password.
    const person = { id: personId, email, name: email.split('@', 1)[0] ?? '', passwordHash: '!', language };
    const identity = { id: newId(), signOnId: signOn.id, subject, personId, createdAt: new Date() };
    const isNew = await insertPerson(tx, { ...person, createdAt: new Date() });
    // Somebody was quicker with the same link, or is linked to this subject by now.
    if (isNew === undefined || (await insertIdentity(tx, identity)) === 0) throw new Refusal('NOT_FOUND');
  });
  return cookies === undefined ? stranger(deps, visit, signOn) : redirect('/', ...cookies);
}

async function link(deps: Deps, visit: Visit, { signOn, subject }: Back, session: LiveSession): Promise<Answer> {
  const isHere =
    session.signOnId === null &&
    session.lentUntil === null &&
    isIn(session, signOn) &&
    isProved(session.provedAt, new Date());
  if (!isHere) return problem(deps, visit, 'notBegun', 400);
  const { personId } = session;
  const outcome = await deps.db.inTransaction(async (tx): Promise<'linked' | 'linkedAlready' | 'notBegun'> => {
    await lockPerson(tx, personId);
    // While the issuer was asked, a reset may have ended the session, and an owner may have entered another issuer.
    if (!(await goesOn(tx, session.id)) || !(await holdFacts(tx, signOn))) return 'notBegun';
    const identity = { id: newId(), signOnId: signOn.id, subject, personId, createdAt: new Date() };
    if ((await insertIdentity(tx, identity)) === 0) return 'linkedAlready';
    await recordAudit(tx, { ...who(visit, signOn), personId, what: 'identity.link', outcome: 'done' });
    return 'linked';
  });
  if (outcome !== 'linked') return problem(deps, visit, outcome, outcome === 'notBegun' ? 400 : 409);
  const read = { ...visit, language: session.language };
  const scopeName = await nameOfPlace(deps, read, signOn);
  return show(deps, read, (frame) => linkedPage(frame, { subject, issuer: signOn.issuer, scopeName }));
}

async function test(deps: Deps, visit: Visit, { trip, signOn }: Back, session: LiveSession): Promise<Answer> {
  if (!isIn(session, signOn) || session.role !== leadingRole(signOn.scope))
    return problem(deps, visit, 'notBegun', 400);
  await noteTested(deps.db, signOn, new Date());
  return redirect(trip.next);
}

/** The same person has signed in at the issuer again. */
async function confirm(deps: Deps, visit: Visit, back: Back, session: LiveSession): Promise<Answer> {
  const { trip, signOn, subject } = back;
  const identity = await findIdentity(deps.db, signOn.id, subject);
  if (session.signOnId !== signOn.id || identity?.personId !== session.personId) return stranger(deps, visit, signOn);
  await stepUp(deps, { ...visit, session }, trip.next);
  return redirect(trip.next);
}

const isIn = ({ scope, scopeId }: LiveSession, signOn: SignOn) => scope === signOn.scope && scopeId === signOn.scopeId;

const sessionOf = async ({ db }: Deps, { sessionToken }: Visit): Promise<LiveSession | undefined> => {
  const session = sessionToken && (await findSession(db, hashOfToken(sessionToken), new Date()));
  return session && session.stage === 'full' ? session : undefined;
};

const who = ({ from: address, requestId }: Visit, { scope: kind, scopeId: id }: SignOn) => ({
  scope: { kind, id },
  address,
  requestId,
});

async function stranger(deps: Deps, visit: Visit, signOn: SignOn): Promise<Answer> {
  const entry = { ...who(visit, signOn), personId: null, what: 'sign-in.oidc', code: 'UNKNOWN_SUBJECT' } as const;
  countAttempt({ by: 'oidc', outcome: 'wrong' });
  await recordAudit(deps.db, { ...entry, outcome: 'failed' });
  return problem(deps, visit, 'stranger', 403);
}

/** Logs only the kind of an issuer's failure, because its text may repeat what was sent to it. */
export async function refusedByIssuer(deps: Deps, visit: Visit, { cause }: IssuerFailed): Promise<Answer> {
  const { name, code } = cause as { name?: string; code?: string };
  deps.log.warn({ reason: [name, code].join(' '), requestId: visit.requestId }, 'an issuer failed');
  return problem(deps, visit, 'issuer', 502);
}

const problem = async (deps: Deps, visit: Visit, kind: IssuerProblem, status: number): Promise<Answer> =>
  show(deps, visit, (frame) => issuerProblemPage(frame, { kind, status, requestId: visit.requestId }));
