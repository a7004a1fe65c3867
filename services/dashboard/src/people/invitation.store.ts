import { type Queries, sql } from '@cobro/postgres/database.ts';
import { type InvitationRow, invitationTable } from './invitation.row.ts';
import type { Scope } from './roles.rules.ts';

const columns = invitationTable.list;
const inserting = invitationTable.inserting(
  'id',
  'tokenHash',
  'purpose',
  'email',
  'scope',
  'scopeId',
  'role',
  'resetsFactor',
  'madeBy',
  'createdAt',
  'expiresAt',
);

export const insertInvitation = (queries: Queries, invitation: Parameters<typeof inserting>[0]) =>
  queries.run(sql`insert into invitation ${inserting(invitation)}`);

const isOpen = (now: Date) => sql`used_at is null and withdrawn_at is null and expires_at > ${now}`;
const owns = sql`
  membership.scope = invitation.scope and membership.scope_id = invitation.scope_id and membership.role = 'owner'`;
/** Nobody gives what they could not give now: an admin of the platform invites to a place only until it has an owner. */
const isMakersToGive = sql`(
  made_by is null or purpose <> 'join'
  or exists (select from membership where person_id = made_by and ${owns})
  or (not exists (select from membership where ${owns})
    and exists (select from membership where person_id = made_by and membership.scope = 'platform')))`;
const isGood = (now: Date) => sql`${isOpen(now)} and ${isMakersToGive}`;

export const findOpenInvitation = (queries: Queries, tokenHash: Buffer, now: Date) =>
  queries.maybe<InvitationRow>(sql`
    select ${columns} from invitation where token_hash = ${tokenHash} and ${isGood(now)}`);

export const findInvitation = (queries: Queries, id: string) =>
  queries.maybe<InvitationRow>(sql`select ${columns} from invitation where id = ${id}`);

/** Uses it up. Undefined where it has been used, was withdrawn, is over or is no longer its maker's to give, by whoever comes second too. */
export const useInvitation = (queries: Queries, id: string, now: Date) =>
  queries.maybe<InvitationRow>(sql`
    update invitation set used_at = ${now} where id = ${id} and ${isGood(now)} returning ${columns}`);

export const listOpenInvitations = (queries: Queries, { kind, id }: Scope, now: Date) =>
  queries.many<InvitationRow>(sql`
    select ${columns} from invitation
    where scope = ${kind} and scope_id is not distinct from ${id} and ${isGood(now)} order by created_at desc`);

export const withdrawInvitation = (queries: Queries, { kind, id: scopeId }: Scope, id: string, now: Date) =>
  queries.run(sql`
    update invitation set withdrawn_at = ${now}
    where id = ${id} and scope = ${kind} and scope_id is not distinct from ${scopeId} and ${isOpen(now)}`);

/** Those to join a scope that are for an e-mail, or that somebody made. */
export const withdrawInvitations = (
  queries: Queries,
  { kind, id: scopeId }: Scope,
  { madeBy, email }: { madeBy?: string; email: string },
  now: Date,
) =>
  queries.run(sql`
    update invitation set withdrawn_at = ${now}
    where scope = ${kind} and scope_id is not distinct from ${scopeId} and ${isOpen(now)}
      and (made_by = ${madeBy ?? null}::uuid or email = ${email})`);

/** Those that somebody made as an admin of the platform, which are all but an owner's own. */
export const withdrawAdminsInvitations = (queries: Queries, madeBy: string, now: Date) =>
  queries.run(sql`
    update invitation set withdrawn_at = ${now}
    where made_by = ${madeBy} and purpose = 'join' and ${isOpen(now)}
      and not exists (select from membership where person_id = made_by and ${owns})`);

/** A newer reset makes the older ones of this person void. */
export const withdrawResets = (queries: Queries, email: string, now: Date) =>
  queries.run(sql`
    update invitation set withdrawn_at = ${now} where email = ${email} and purpose = 'reset' and ${isOpen(now)}`);
