import type { CallerOf } from '@cobro/contracts/caller.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from '../deps.ts';
import { type Language, languages } from '../people/person.row.ts';
import { changeLanguage } from '../people/person.store.ts';
import { hashOfToken } from '../people/link.ts';
import { may, type Power, type Role, type Scope, type ScopeKind } from '../people/roles.rules.ts';
import { isProved } from '../sessions/session.rules.ts';
import { findSession, type LiveSession, noteSeen } from '../sessions/session.store.ts';
import type { OpenStream, PersonApi } from './api.ts';
import { type Answer, redirect, type Visit } from './visit.ts';

/** A page, or the action of a form. */
export interface Screen {
  method: 'GET' | 'POST';
  path: string;
  /** Who may use it. */
  isFor: 'anybody' | 'session' | Needs;
  serve: (deps: Deps, visit: Visit) => Promise<Answer>;
}

export interface Person {
  id: string;
  email: string;
  name: string;
}

/** The visit of a person who has signed in and chosen a scope. */
export interface SignedIn extends Visit {
  person: Person;
  language: Language;
  scope: Scope;
  /** An organization's name, once its event has arrived; null in other scopes. */
  scopeName: string | null;
  role: Role;
  session: Pick<LiveSession, 'id' | 'beganAt' | 'provedAt' | 'membershipId' | 'signOnId' | 'lentUntil'>;
  /** The public API, called as this person in this scope. */
  api: PersonApi;
  /** Reads an answer that is too long for memory. */
  openStream: OpenStream;
}

export interface Needs {
  may: Power;
  /** The scopes that have the page; all unless given. */
  of?: readonly ScopeKind[];
  /** Needs a second factor shown in the last fifteen minutes. */
  proved?: true;
  /** About the person's own account, which a session of a scope's issuer may not change. */
  ownAccount?: true;
  /** Open to sessions without the scope's required issuer, so that people can link with it. */
  withoutIssuer?: true;
}

type UseCase<V> = (deps: Deps, visit: V) => Promise<Answer>;

export const forAnybody = (method: Screen['method'], path: string, serve: UseCase<Visit>): Screen => ({
  method,
  path,
  isFor: 'anybody',
  serve,
});

/** The visit of a person who has shown a password, or a link, and may lack the second factor. */
export interface HalfSignedIn extends Visit {
  session: LiveSession;
}

export const forSession = (method: Screen['method'], path: string, useCase: UseCase<HalfSignedIn>): Screen => ({
  method,
  path,
  isFor: 'session',
  serve: async (deps, visit) => {
    const session = await sessionOf(deps, visit);
    if (session === undefined) return toSignIn(visit);
    return useCase(deps, { ...visit, language: await languageOf(deps, visit, session), session });
  },
});

/** A screen for people who have signed in, chosen a scope, and may do this there. */
export const signedIn = (method: Screen['method'], path: string, needs: Needs, useCase: UseCase<SignedIn>): Screen => ({
  method,
  path,
  isFor: needs,
  serve: async (deps, visit) => {
    const session = await sessionOf(deps, visit);
    if (session === undefined) return toSignIn(visit);
    if (session.stage !== 'full') return redirect('/sign-in/factor');
    const { scope: kind, scopeId, role } = session;
    if (kind === null || role === null) return redirect('/scope');
    if (!needs.withoutIssuer && lacksIssuer(session))
      return redirect(`/sign-in/oidc/${session.requiredSignOnId}?next=${backTo(visit)}`);
    if (needs.ownAccount && session.signOnId !== null) throw new Refusal('FORBIDDEN');
    if (needs.of !== undefined && !needs.of.includes(kind)) throw new Refusal('NOT_FOUND');
    if (!may(role, needs.may)) throw new Refusal('FORBIDDEN');
    if (needs.proved && !isProved(session.provedAt, new Date())) return toConfirm(visit);
    session.language = await languageOf(deps, visit, session);
    return useCase(deps, signedInAs(deps, visit, session, { kind, id: scopeId }, role));
  },
});

/** A lent look needs no issuer: its person is none of the organization's people. */
const lacksIssuer = ({ requiredSignOnId, signOnId, membershipId, keptMembershipId, lentUntil }: LiveSession): boolean =>
  requiredSignOnId !== null && requiredSignOnId !== signOnId && membershipId !== keptMembershipId && lentUntil === null;

function signedInAs(deps: Deps, visit: Visit, session: LiveSession, scope: Scope, role: Role): SignedIn {
  const { personId, email, name, language, organizationName, provedAt } = session;
  const caller = callerOf({ personId, scope, role, provedAt: provedAt ?? NEVER });
  return {
    ...visit,
    person: { id: personId, email, name },
    language,
    scope,
    scopeName: organizationName,
    role,
    session,
    api: deps.openApi(caller, visit.requestId),
    openStream: deps.openStream(caller, visit.requestId),
  };
}

/** For a session without a second factor, which a recovery code or an issuer began. */
const NEVER = new Date(0);

interface Acts {
  personId: string;
  scope: Scope;
  role: Role;
  provedAt: Date;
}

/** The caller as the gateway expects it. */
function callerOf({ personId, scope: { kind, id }, role, provedAt }: Acts): CallerOf<'person' | 'platform'> {
  if (kind === 'platform') return { kind, by: { kind: 'person', id: personId }, provedAt: provedAt.toISOString() };
  const scope =
    kind === 'partner' ? { kind, partnerId: id ?? '' } : { kind: 'organization' as const, organizationId: id ?? '' };
  return { kind: 'person', personId, scope, role: role as Exclude<Role, 'admin'>, provedAt: provedAt.toISOString() };
}

const SEEN_EVERY_MS = 60_000;

async function sessionOf({ db }: Deps, visit: Visit): Promise<LiveSession | undefined> {
  if (visit.sessionToken === undefined) return undefined;
  const now = new Date();
  const session = await findSession(db, hashOfToken(visit.sessionToken), now);
  if (session !== undefined && !visit.isPoll && now.getTime() - session.seenAt.getTime() > SEEN_EVERY_MS) {
    await noteSeen(db, session.id, now);
  }
  return session;
}

/** The person's language; a page's link with `lang` changes and stores it. */
async function languageOf({ db }: Deps, { query }: Visit, { personId, language }: LiveSession): Promise<Language> {
  const chosen = languages.find((one) => one === query.get('lang'));
  if (chosen !== undefined && chosen !== language) await changeLanguage(db, personId, chosen);
  return chosen ?? language;
}

const backTo = ({ address }: Visit) => encodeURIComponent(address);

export const toSignIn = (visit: Visit): Answer => {
  const ended = visit.sessionToken === undefined ? '' : '&ended=yes';
  return redirect(`/sign-in?next=${backTo(visit)}${ended}`);
};

/** Redirects to the second factor, and then back to the form's page; nothing was done. */
export const toConfirm = (visit: Visit): Answer => redirect(`/confirm?next=${backTo(visit)}`);
