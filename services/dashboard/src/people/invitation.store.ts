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

export const findOpenInvitation = (queries: Queries, tokenHash: Buffer, now: Date) =>
  queries.maybe<InvitationRow>(sql`
    select ${columns} from invitation where token_hash = ${tokenHash} and ${isOpen(now)}`);

export const findInvitation = (queries: Queries, id: string) =>
  queries.maybe<InvitationRow>(sql`select ${columns} from invitation where id = ${id}`);

/** Uses it up. Undefined where it has been used, was withdrawn or is over, by whoever comes second too. */
export const useInvitation = (queries: Queries, id: string, now: Date) =>
  queries.maybe<InvitationRow>(sql`
    update invitation set used_at = ${now} where id = ${id} and ${isOpen(now)} returning ${columns}`);

export const listOpenInvitations = (queries: Queries, { kind, id }: Scope, now: Date) =>
  queries.many<InvitationRow>(sql`
    select ${columns} from invitation
    where scope = ${kind} and scope_id is not distinct from ${id} and ${isOpen(now)} order by created_at desc`);

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

/** A newer reset makes the older ones of this person void. */
export const withdrawResets = (queries: Queries, email: string, now: Date) =>
  queries.run(sql`
    update invitation set withdrawn_at = ${now} where email = ${email} and purpose = 'reset' and ${isOpen(now)}`);
