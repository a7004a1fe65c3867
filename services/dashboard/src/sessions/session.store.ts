import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import type { Language } from '../people/person.row.ts';
import type { Role, ScopeKind } from '../people/roles.rules.ts';
import { ABSOLUTE_HOURS, HALF_MINUTES, IDLE_MINUTES } from './session.rules.ts';

export interface NewSession {
  id: string;
  tokenHash: Buffer;
  personId: string;
  stage: 'password' | 'full';
  membershipId: string | null;
  invitationId: string | null;
  now: Date;
  provedAt: Date | null;
  userAgent: string;
  address: string;
  /** When the person signed in, if the session replaces another. */
  beganAt?: Date;
  /** The issuer that vouched. */
  signOnId?: string | null;
}

export const insertSession = (queries: Queries, session: NewSession) =>
  queries.run(sql`
    insert into session (id, token_hash, person_id, stage, membership_id, invitation_id, began_at, seen_at, proved_at, user_agent, address, sign_on_id)
    values (${session.id}, ${session.tokenHash}, ${session.personId}, ${session.stage}, ${session.membershipId},
      ${session.invitationId}, ${session.beganAt ?? session.now}, ${session.now}, ${session.provedAt},
      ${session.userAgent}, ${session.address}, ${session.signOnId ?? null})`);

export interface LiveSession {
  id: string;
  stage: 'password' | 'full';
  personId: string;
  email: string;
  name: string;
  language: Language;
  invitationId: string | null;
  beganAt: Date;
  seenAt: Date;
  provedAt: Date | null;
  membershipId: string | null;
  scope: ScopeKind | null;
  scopeId: string | null;
  role: Role | null;
  organizationName: string | null;
  /** Until when an owner lends this look; null for a membership. */
  lentUntil: Date | null;
  /** The issuer that vouched for this session, which acts in its scope only. */
  signOnId: string | null;
  /** The issuer that this scope requires; only the membership `keptMembershipId` acts without it. */
  requiredSignOnId: string | null;
  keptMembershipId: string | null;
}

const minutes = (n: number) => sql`make_interval(mins => ${n})`;
const isLive = (now: Date) => sql`
  session.ended_at is null
  and session.seen_at > ${now}::timestamptz - ${minutes(IDLE_MINUTES)}
  and session.began_at > ${now}::timestamptz -
    case stage when 'full' then ${minutes(ABSOLUTE_HOURS * 60)} else ${minutes(HALF_MINUTES)} end`;

export const findSession = (queries: Queries, tokenHash: Buffer, now: Date) =>
  queries.maybe<LiveSession>(sql`
    select session.id, session.stage, session.person_id as "personId", person.email, person.name, person.language,
      session.invitation_id as "invitationId", session.began_at as "beganAt", session.seen_at as "seenAt",
      session.proved_at as "provedAt", session.membership_id as "membershipId",
      membership.scope, membership.scope_id as "scopeId", membership.role, organization.name as "organizationName",
      membership.lent_until as "lentUntil", session.sign_on_id as "signOnId", required.id as "requiredSignOnId", required.kept_membership_id as "keptMembershipId"
    from session join person on person.id = session.person_id
    left join membership on membership.id = session.membership_id
      and (membership.lent_until is null or membership.lent_until > ${now})
    left join organization on organization.id = membership.scope_id
    left join lateral (
      select id, kept_membership_id from sign_on
      where is_required and scope = membership.scope and scope_id = membership.scope_id
      union all
      select id, kept_membership_id from sign_on
      where is_required and scope = membership.scope and scope_id is null and membership.scope_id is null
    ) as required on true
    where session.token_hash = ${tokenHash} and ${isLive(now)}`);

/** Whether the session has not been ended since it was read. */
export const goesOn = async (queries: Queries, id: string): Promise<boolean> =>
  (await queries.maybe(sql`select from session where id = ${id} and ended_at is null`)) !== undefined;

export const noteSeen = (queries: Queries, id: string, now: Date) =>
  queries.run(sql`update session set seen_at = ${now} where id = ${id} and seen_at < ${now}`);

export const noteProved = (queries: Queries, id: string, now: Date) =>
  queries.run(sql`update session set proved_at = ${now} where id = ${id} and ended_at is null`);

export const endSession = (queries: Queries, id: string, now: Date) =>
  queries.run(sql`update session set ended_at = ${now} where id = ${id} and ended_at is null`);

/** Ends the session of this token, of any person. */
export const endSessionByToken = (tx: Tx, tokenHash: Buffer, now: Date): void =>
  tx.send(sql`update session set ended_at = ${now} where token_hash = ${tokenHash} and ended_at is null`);

/** Ends a session of this person; 0 if it is another's. */
export const endSessionOf = (queries: Queries, personId: string, id: string, now: Date) =>
  queries.run(sql`
    update session set ended_at = ${now} where id = ${id} and person_id = ${personId} and ended_at is null`);

/** Ends all sessions of a person; with an issuer, those that it vouched for. */
export const endSessions = (queries: Queries, personId: string, now: Date, signOnId: string | null = null) =>
  queries.run(sql`
    update session set ended_at = ${now} where person_id = ${personId} and ended_at is null
      and (${signOnId}::uuid is null or sign_on_id = ${signOnId}::uuid)`);

export const endOtherSessions = (queries: Queries, personId: string, id: string, now: Date) =>
  queries.run(sql`
    update session set ended_at = ${now} where person_id = ${personId} and id <> ${id} and ended_at is null`);

export interface Device {
  id: string;
  beganAt: Date;
  seenAt: Date;
  userAgent: string;
  address: string;
}

export const listSessions = (queries: Queries, personId: string, now: Date, signOnId: string | null) =>
  queries.many<Device>(sql`
    select id, began_at as "beganAt", seen_at as "seenAt", user_agent as "userAgent", address
    from session where person_id = ${personId} and stage = 'full' and ${isLive(now)}
      and (${signOnId}::uuid is null or sign_on_id = ${signOnId}::uuid)
    order by seen_at desc`);

/** Deletes sessions that began more than 30 days ago. */
export const pruneSessions = (queries: Queries) =>
  queries.run(sql`
    delete from session where id in (
      select id from session where began_at < clock_timestamp() - interval '30 days' limit 500)`);
