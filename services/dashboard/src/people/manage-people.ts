import { linkPage, peoplePage } from '@cobro/dashboard/settings/people.ts';
import { settingsWords, type SettingsWords } from '@cobro/dashboard/settings/words.ts';
import { uuid } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { validate } from '@cobro/contracts/validation.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { z } from 'zod';
import { recordAudit } from '../audit/audit.store.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { insertInvitation, listOpenInvitations, withdrawInvitation, withdrawResets } from './invitation.store.ts';
import { newLink } from './link.ts';
import {
  belongsToAlone,
  changeRole,
  countOf,
  deleteMembership,
  findMember,
  findMemberByEmail,
  listMembers,
  lockMembers,
  type Member,
} from './membership.store.ts';
import { isRoleOf, leadingRole, type Role, rolesOf } from './roles.rules.ts';

const emailAddress = z.email().max(254).toLowerCase();

type Problem = keyof SettingsWords['problems'];

/** GET /settings/people */
export const showPeople = (deps: Deps, visit: SignedIn): Promise<Answer> => peopleWith(deps, visit, undefined);

/** POST /settings/people/invite */
export async function invitePerson(deps: Deps, visit: SignedIn): Promise<Answer> {
  const email = emailAddress.safeParse(field(visit.form, 'email'));
  if (!email.success) return peopleWith(deps, visit, 'email', 400);
  const role = wantedRole(visit);
  if ((await findMemberByEmail(deps.db, visit.scope, email.data)) !== undefined)
    return peopleWith(deps, visit, 'member', 409);
  const { scope, person } = visit;
  const { row, path } = newLink(
    { purpose: 'join', email: email.data, scope: scope.kind, scopeId: scope.id, role, madeBy: person.id },
    new Date(),
  );
  await deps.db.inTransaction(async (tx) => {
    await insertInvitation(tx, row);
    await audit(tx, visit, 'people.invite', row.id);
  });
  return show(deps, visit, (frame) => linkPage(frame, { email: email.data, link: `${deps.baseUrl}${path}` }));
}

/** POST /settings/invitations/:id/withdraw */
export async function withdraw({ db }: Deps, visit: SignedIn): Promise<Answer> {
  const id = validate(uuid, visit.params['id']);
  const withdrawn = await db.inTransaction(async (tx) => {
    const count = await withdrawInvitation(tx, visit.scope, id, new Date());
    if (count > 0) await audit(tx, visit, 'people.withdraw-invitation', id);
    return count;
  });
  if (withdrawn === 0) throw new Refusal('NOT_FOUND');
  return redirect('/settings/people');
}

/** POST /settings/people/:id/role */
export const changeMembersRole = (deps: Deps, visit: SignedIn): Promise<Answer> => {
  const role = wantedRole(visit);
  return changeMember(deps, visit, `people.role.${role}`, role, (tx, { id }) => changeRole(tx, id, role));
};

/** POST /settings/people/:id/remove: it ends that person's sessions here. */
export const removeMember = (deps: Deps, visit: SignedIn): Promise<Answer> =>
  changeMember(deps, visit, 'people.remove', undefined, (tx, { id }) => deleteMembership(tx, id));

/** POST /settings/people/:id/reset: a link for a new password and factor, of somebody who belongs nowhere else. */
export async function makeResetLink(deps: Deps, visit: SignedIn): Promise<Answer> {
  const member = await memberOf(deps, visit);
  if (member.personId === visit.person.id) return peopleWith(deps, visit, 'self', 409);
  const now = new Date();
  const { email } = member;
  const { row, path } = newLink({ purpose: 'reset', email, resetsFactor: true, madeBy: visit.person.id }, now);
  const made = await deps.db.inTransaction(async (tx) => {
    if (!(await belongsToAlone(tx, member.personId, visit.scope))) return false;
    await withdrawResets(tx, email, now);
    await insertInvitation(tx, row);
    await audit(tx, visit, 'people.reset', member.personId);
    return true;
  });
  if (!made) return peopleWith(deps, visit, 'elsewhere', 409);
  return show(deps, visit, (frame) => linkPage(frame, { email, link: `${deps.baseUrl}${path}` }));
}

async function changeMember(
  deps: Deps,
  visit: SignedIn,
  what: string,
  role: Role | undefined,
  change: (tx: Tx, member: Member) => Promise<unknown>,
): Promise<Answer> {
  const id = validate(uuid, visit.params['id']);
  const { scope, person } = visit;
  const problem = await deps.db.inTransaction(async (tx): Promise<Problem | 'absent' | undefined> => {
    lockMembers(tx, scope);
    const member = await findMember(tx, scope, id);
    if (member === undefined) return 'absent';
    if (member.personId === person.id) return 'self';
    const leading = leadingRole(scope.kind);
    const isLast = member.role === leading && role !== leading && (await countOf(tx, scope, leading)) === 1;
    if (isLast) return 'lastOwner';
    await change(tx, member);
    await audit(tx, visit, what, member.personId);
    return undefined;
  });
  if (problem === 'absent') throw new Refusal('NOT_FOUND');
  return problem === undefined ? redirect('/settings/people') : peopleWith(deps, visit, problem, 409);
}

function wantedRole({ form, scope }: SignedIn): Role {
  const role = form.get('role') ?? '';
  if (!isRoleOf(scope.kind, role)) throw new Refusal('VALIDATION_ERROR');
  return role;
}

async function memberOf({ db }: Deps, { params, scope }: SignedIn): Promise<Member> {
  const member = await findMember(db, scope, validate(uuid, params['id']));
  if (member === undefined) throw new Refusal('NOT_FOUND');
  return member;
}

const audit = (tx: Tx, { person, scope, from: address, requestId }: SignedIn, what: string, target: string) =>
  recordAudit(tx, { personId: person.id, scope, what, target, outcome: 'done', address, requestId });

async function peopleWith(deps: Deps, visit: SignedIn, problem: Problem | undefined, status = 200): Promise<Answer> {
  const [members, invitations] = await Promise.all([
    listMembers(deps.db, visit.scope),
    listOpenInvitations(deps.db, visit.scope, new Date()),
  ]);
  const view = {
    roles: rolesOf[visit.scope.kind],
    members: members.map((member) => ({ ...member, isSelf: member.personId === visit.person.id })),
    invitations,
    problem: problem && settingsWords[visit.language].problems[problem],
    status,
  };
  return show(deps, visit, (frame) => peoplePage(frame, view));
}
