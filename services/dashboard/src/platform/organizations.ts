import { organizationsPage } from '@cobro/dashboard/platform/organizations.ts';
import { platformWords, type PlatformWords } from '@cobro/dashboard/platform/words.ts';
import { holdsCardData } from '@cobro/contracts/card-data.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { byMember } from '../audit/who.ts';
import type { Deps } from '../deps.ts';
import { idIn } from '../http/reading.ts';
import { type SignedIn, toSignIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { findMembership, lockMembers } from '../people/membership.store.ts';
import { findOrganizationName } from '../people/organization.store.ts';
import { lockPerson } from '../people/person.store.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { endSession } from '../sessions/session.store.ts';
import { inviteFirst } from './invite-first-owner.ts';
import { findLoan, insertLook, listOrganizations } from './loan.store.ts';

const PAGE = 50;

/** GET /platform/organizations */
export const showOrganizations = (deps: Deps, visit: SignedIn): Promise<Answer> =>
  holdsCardData(typedIn(visit)) ? pageWith(deps, visit, 'cardNumber', 400) : pageWith(deps, visit);

/** POST /platform/organizations/:id/invite */
export async function inviteFirstOwner(deps: Deps, visit: SignedIn): Promise<Answer> {
  const id = idIn(visit);
  if ((await findOrganizationName(deps.db, id)) === undefined) throw new Refusal('NOT_FOUND');
  return inviteFirst(deps, visit, { kind: 'organization', id }, (problem, status) =>
    pageWith(deps, visit, problem, status),
  );
}

/** POST /platform/organizations/:id/look: only if its owner lends it, and until the loan ends. */
export async function lookAt(deps: Deps, visit: SignedIn): Promise<Answer> {
  const organizationId = idIn(visit);
  const { person, session } = visit;
  const scope = { kind: 'organization', id: organizationId } as const;
  const cookie = await deps.db.inTransaction(async (tx) => {
    const [id, now] = [newId(), new Date()];
    await lockPerson(tx, person.id);
    lockMembers(tx, scope);
    const loan = await findLoan(tx, organizationId, now);
    if (loan === undefined) throw new Refusal('NOT_FOUND');
    const own = await findMembership(tx, scope, person.id);
    // The platform's issuer vouches for no member of an organization: there its session may only look.
    if (session.signOnId !== null && own !== undefined && own.lentUntil === null) throw new Refusal('FORBIDDEN');
    // A person who is removed from the platform at this moment gets no look.
    if ((await endSession(tx, session.id, now)) === 0) return undefined;
    if (own === undefined) await insertLook(tx, { id, personId: person.id, organizationId, until: loan.until, now });
    await recordAudit(tx, { ...byMember(visit), scope, what: 'people.look', target: loan.id, outcome: 'done' });
    const { provedAt, beganAt, signOnId } = session;
    const membershipId = own?.id ?? id;
    const begun = { personId: person.id, stage: 'full', membershipId, invitationId: null, provedAt, beganAt } as const;
    // A session of an issuer may not change the account there either.
    return beginSession(tx, deps, visit, { ...begun, signOnId }, now);
  });
  return cookie === undefined ? toSignIn(visit) : redirect('/', cookie);
}

const typedIn = ({ query }: SignedIn) => (query.get('q') ?? '').replaceAll('\0', '').trim().slice(0, 100);

async function pageWith(
  deps: Deps,
  visit: SignedIn,
  problem?: keyof PlatformWords['problems'],
  status = 200,
): Promise<Answer> {
  const typed = typedIn(visit);
  const q = holdsCardData(typed) ? '' : typed;
  const after = (visit.query.get('after') ?? '').replaceAll('\0', '').slice(0, 400);
  const rows = await listOrganizations(deps.db, { q, after, most: PAGE }, new Date());
  const last = rows.length === PAGE ? rows.at(-1) : undefined;
  const next =
    last && `/platform/organizations?${new URLSearchParams({ q, after: `${last.name} ${last.id}` }).toString()}`;
  const said = problem && platformWords[visit.language].problems[problem];
  const isDone = visit.query.get('done') === 'created';
  return show(deps, visit, (frame) =>
    organizationsPage(frame, { q, rows, next: next ?? null, problem: said, status, isDone }),
  );
}
