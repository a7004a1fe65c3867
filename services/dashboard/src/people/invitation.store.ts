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
/** An invitation holds while its maker could make it now: an admin of the platform's, only until the place has an owner. */
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

/** Uses the invitation up. Undefined if it was used, withdrawn or has expired, or its maker may no longer give it. */
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

/** Withdraws invitations to a scope that are for this e-mail, or that `madeBy` made. */
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

/** Withdraws what a person made as an admin of the platform: all invitations except to scopes that the person owns. */
export const withdrawAdminsInvitations = (queries: Queries, madeBy: string, now: Date) =>
  queries.run(sql`
    update invitation set withdrawn_at = ${now}
    where made_by = ${madeBy} and purpose = 'join' and ${isOpen(now)}
      and not exists (select from membership where person_id = made_by and ${owns})`);

/** Withdraws the person's older resets, because a newer one replaces them. */
export const withdrawResets = (queries: Queries, email: string, now: Date) =>
  queries.run(sql`
    update invitation set withdrawn_at = ${now} where email = ${email} and purpose = 'reset' and ${isOpen(now)}`);
