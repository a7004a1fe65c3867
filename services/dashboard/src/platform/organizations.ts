import { organizationsPage } from '@cobro/dashboard/platform/organizations.ts';
import { platformWords, type PlatformWords } from '@cobro/dashboard/platform/words.ts';
import { linkPage } from '@cobro/dashboard/settings/people.ts';
import { newId, uuid } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { validate } from '@cobro/contracts/validation.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { byMember } from '../audit/who.ts';
import type { Deps } from '../deps.ts';
import { type SignedIn, toSignIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { insertInvitation, withdrawInvitations } from '../people/invitation.store.ts';
import { newLink } from '../people/link.ts';
import { countOf, findMembership, lockMembers } from '../people/membership.store.ts';
import { findOrganizationName } from '../people/organization.store.ts';
import { emailAddress } from '../people/person.row.ts';
import { lockPerson } from '../people/person.store.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { endSession } from '../sessions/session.store.ts';
import { findLoan, insertLook, listOrganizations } from './loan.store.ts';

const PAGE = 50;

/** GET /platform/organizations */
export const showOrganizations = (deps: Deps, visit: SignedIn): Promise<Answer> => pageWith(deps, visit);

/** POST /platform/organizations/:id/invite: its first owner. Later ones are invited by owners. */
export async function inviteFirstOwner(deps: Deps, visit: SignedIn): Promise<Answer> {
  const id = validate(uuid, visit.params['id']);
  const email = emailAddress.safeParse(field(visit.form, 'email'));
  if (!email.success) return pageWith(deps, visit, 'email', 400);
  if ((await findOrganizationName(deps.db, id)) === undefined) throw new Refusal('NOT_FOUND');
  const scope = { kind: 'organization', id } as const;
  const now = new Date();
  const wanted = { purpose: 'join', email: email.data, scope: scope.kind, scopeId: id, role: 'owner' } as const;
  const { row, path } = newLink({ ...wanted, madeBy: visit.person.id }, now);
  const isMade = await deps.db.inTransaction(async (tx) => {
    lockMembers(tx, scope);
    if ((await countOf(tx, scope, 'owner')) > 0) return false;
    await withdrawInvitations(tx, scope, { email: email.data, madeBy: visit.person.id }, now);
    await insertInvitation(tx, row);
    await recordAudit(tx, { ...byMember(visit), what: 'people.invite.owner', target: row.id, outcome: 'done' });
    await recordAudit(tx, { ...byMember(visit), scope, what: 'people.invite.owner', target: row.id, outcome: 'done' });
    return true;
  });
  if (!isMade) return pageWith(deps, visit, 'hasOwner', 409);
  return show(deps, visit, (frame) => linkPage(frame, { email: email.data, link: `${deps.baseUrl}${path}` }));
}

/** POST /platform/organizations/:id/look: where its owner lends it, until the loan ends. */
export async function lookAt(deps: Deps, visit: SignedIn): Promise<Answer> {
  const organizationId = validate(uuid, visit.params['id']);
  const { person, session } = visit;
  const scope = { kind: 'organization', id: organizationId } as const;
  const cookie = await deps.db.inTransaction(async (tx) => {
    const [id, now] = [newId(), new Date()];
    await lockPerson(tx, person.id);
    lockMembers(tx, scope);
    const loan = await findLoan(tx, organizationId, now);
    if (loan === undefined) throw new Refusal('NOT_FOUND');
    const own = await findMembership(tx, scope, person.id);
    // The platform's issuer vouches for nobody in an organization, where its session may only look.
    if (session.signOnId !== null && own !== undefined && own.lentUntil === null) throw new Refusal('FORBIDDEN');
    if (own === undefined) await insertLook(tx, { id, personId: person.id, organizationId, until: loan.until, now });
    if ((await endSession(tx, session.id, now)) === 0) return undefined;
    await recordAudit(tx, { ...byMember(visit), scope, what: 'people.look', target: loan.id, outcome: 'done' });
    const { provedAt, beganAt, signOnId } = session;
    const membershipId = own?.id ?? id;
    const begun = { personId: person.id, stage: 'full', membershipId, invitationId: null, provedAt, beganAt } as const;
    // Whom an issuer vouched for disposes of no account there either.
    return beginSession(tx, deps, visit, { ...begun, signOnId }, now);
  });
  return cookie === undefined ? toSignIn(visit) : redirect('/', cookie);
}

async function pageWith(
  deps: Deps,
  visit: SignedIn,
  problem?: keyof PlatformWords['problems'],
  status = 200,
): Promise<Answer> {
  const q = (visit.query.get('q') ?? '').replaceAll('\0', '').trim().slice(0, 100);
  const after = (visit.query.get('after') ?? '').replaceAll('\0', '').slice(0, 400);
  const rows = await listOrganizations(deps.db, { q, after, most: PAGE }, new Date());
  const last = rows.length === PAGE ? rows.at(-1) : undefined;
  const next =
    last && `/platform/organizations?${new URLSearchParams({ q, after: `${last.name} ${last.id}` }).toString()}`;
  const said = problem && platformWords[visit.language].problems[problem];
  return show(deps, visit, (frame) => organizationsPage(frame, { q, rows, next: next ?? null, problem: said, status }));
}
