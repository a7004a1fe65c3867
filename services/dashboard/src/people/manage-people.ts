import { linkPage, peoplePage } from '@cobro/dashboard/settings/people.ts';
import { settingsWords, type SettingsWords } from '@cobro/dashboard/settings/words.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { Audited } from '@cobro/dashboard/settings/audited-words.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { byMember } from '../audit/who.ts';
import type { Deps } from '../deps.ts';
import { idIn } from '../http/reading.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import {
  insertInvitation,
  listOpenInvitations,
  withdrawAdminsInvitations,
  withdrawInvitation,
  withdrawInvitations,
  withdrawResets,
} from './invitation.store.ts';
import { endLooks, findLoan } from '../platform/loan.store.ts';
import { deleteIdentity, isKept } from '../sign-on/sign-on.store.ts';
import { newLink } from './link.ts';
import { lockAsLeader } from './lock-as-leader.ts';
import {
  belongsToAlone,
  changeRole,
  countOf,
  deleteMembership,
  findMember,
  findMemberByEmail,
  listMembers,
  type Member,
} from './membership.store.ts';
import { emailAddress } from './person.row.ts';
import { isRoleOf, leadingRole, type Role, rolesOf } from './roles.rules.ts';

type Problem = keyof SettingsWords['problems'];

/** GET /settings/people */
export const showPeople = (deps: Deps, visit: SignedIn): Promise<Answer> => peopleWith(deps, visit, undefined);

/** POST /settings/people/invite. A newer invitation of the same e-mail makes the older one void. */
export async function invitePerson(deps: Deps, visit: SignedIn): Promise<Answer> {
  const email = emailAddress.safeParse(field(visit.form, 'email'));
  if (!email.success) return peopleWith(deps, visit, 'email', 400);
  const role = wantedRole(visit);
  const { scope, person } = visit;
  const now = new Date();
  const { row, path } = newLink(
    { purpose: 'join', email: email.data, scope: scope.kind, scopeId: scope.id, role, madeBy: person.id },
    now,
  );
  const isMember = await deps.db.inTransaction(async (tx) => {
    await lockAsLeader(tx, visit);
    if ((await findMemberByEmail(tx, scope, email.data)) !== undefined) return true;
    await withdrawInvitations(tx, scope, { email: email.data }, now);
    await insertInvitation(tx, row);
    await audit(tx, visit, `people.invite.${role}`, row.id);
    return false;
  });
  if (isMember) return peopleWith(deps, visit, 'member', 409);
  return show(deps, visit, (frame) => linkPage(frame, { email: email.data, link: `${deps.baseUrl}${path}` }));
}

/** POST /settings/invitations/:id/withdraw */
export async function withdraw({ db }: Deps, visit: SignedIn): Promise<Answer> {
  const id = idIn(visit);
  await db.inTransaction(async (tx) => {
    await lockAsLeader(tx, visit);
    if ((await withdrawInvitation(tx, visit.scope, id, new Date())) === 0) throw new Refusal('NOT_FOUND');
    await audit(tx, visit, 'people.withdraw-invitation', id);
  });
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

/** POST /settings/people/:id/reset: makes a link for a new password and factor, if the person belongs nowhere else. */
export async function makeResetLink(deps: Deps, visit: SignedIn): Promise<Answer> {
  const id = idIn(visit);
  const made = await deps.db.inTransaction(async (tx): Promise<Problem | { email: string; path: string }> => {
    await lockAsLeader(tx, visit);
    const member = await findMember(tx, visit.scope, id);
    if (member === undefined) throw new Refusal('NOT_FOUND');
    const { email, personId } = member;
    if (personId === visit.person.id) return 'self';
    if (!(await belongsToAlone(tx, personId, visit.scope))) return 'elsewhere';
    const now = new Date();
    const { row, path } = newLink({ purpose: 'reset', email, resetsFactor: true, madeBy: visit.person.id }, now);
    await withdrawResets(tx, email, now);
    await insertInvitation(tx, row);
    await audit(tx, visit, 'people.reset', personId);
    return { email, path };
  });
  if (typeof made === 'string') return peopleWith(deps, visit, made, 409);
  const { email, path } = made;
  return show(deps, visit, (frame) => linkPage(frame, { email, link: `${deps.baseUrl}${path}` }));
}

async function changeMember(
  deps: Deps,
  visit: SignedIn,
  what: Audited,
  role: Role | undefined,
  change: (tx: Tx, member: Member) => Promise<unknown>,
): Promise<Answer> {
  const id = idIn(visit);
  const { scope, person } = visit;
  const problem = await deps.db.inTransaction(async (tx): Promise<Problem | undefined> => {
    await lockAsLeader(tx, visit);
    const member = await findMember(tx, scope, id);
    if (member === undefined) throw new Refusal('NOT_FOUND');
    const { personId: madeBy, email } = member;
    if (madeBy === person.id) return 'self';
    const leading = leadingRole(scope.kind);
    const isLast = member.role === leading && role !== leading && (await countOf(tx, scope, leading)) === 1;
    if (isLast) return 'lastOwner';
    if (role !== leading && (await isKept(tx, member.id))) return 'keptOwner';
    if (role === undefined) deleteIdentity(tx, madeBy, scope);
    await change(tx, member);
    if (role !== leading) {
      const now = new Date();
      // People whom this person invited can no longer join, nor this person by an older link.
      await withdrawInvitations(tx, scope, { madeBy, email }, now);
      // An admin of the platform reached into other scopes, too.
      if (scope.kind === 'platform') {
        await withdrawAdminsInvitations(tx, madeBy, now);
        await endLooks(tx, madeBy);
      }
    }
    await audit(tx, visit, what, madeBy);
    return undefined;
  });
  return problem === undefined ? redirect('/settings/people') : peopleWith(deps, visit, problem, 409);
}

function wantedRole({ form, scope }: SignedIn): Role {
  const role = form.get('role') ?? '';
  if (!isRoleOf(scope.kind, role)) throw new Refusal('VALIDATION_ERROR');
  return role;
}

const audit = (tx: Tx, visit: SignedIn, what: Audited, target: string) =>
  recordAudit(tx, { ...byMember(visit), what, target, outcome: 'done' });

async function peopleWith(deps: Deps, visit: SignedIn, problem: Problem | undefined, status = 200): Promise<Answer> {
  const [members, invitations, loan] = await Promise.all([
    listMembers(deps.db, visit.scope),
    listOpenInvitations(deps.db, visit.scope, new Date()),
    visit.scope.id === null ? undefined : findLoan(deps.db, visit.scope.id, new Date()),
  ]);
  const view = {
    roles: rolesOf[visit.scope.kind],
    members: members.map((member) => ({ ...member, isSelf: member.personId === visit.person.id })),
    invitations,
    lentUntil: loan?.until ?? null,
    problem: problem && settingsWords[visit.language].problems[problem],
    status,
  };
  return show(deps, visit, (frame) => peoplePage(frame, view));
}
