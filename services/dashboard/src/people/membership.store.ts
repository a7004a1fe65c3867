import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import type { Role, Scope, ScopeKind } from './roles.rules.ts';

export interface Membership {
  id: string;
  personId: string;
  kind: ScopeKind;
  scopeId: string | null;
  role: Role;
  createdAt: Date;
  /** When a lent look ends; null for a membership. */
  lentUntil: Date | null;
}

export interface Member extends Membership {
  email: string;
  name: string;
  /** Null if an operator did. */
  invitedBy: string | null;
}

const columns = sql`membership.id, membership.person_id as "personId", membership.scope as kind,
  membership.scope_id as "scopeId", membership.role, membership.created_at as "createdAt", membership.lent_until as "lentUntil"`;
const ofMember = sql`${columns}, person.email, person.name, inviter.name as "invitedBy"
  from membership join person on person.id = person_id left join person as inviter on inviter.id = invited_by`;
/** A lent look ends by itself. */
const goesOn = sql`(membership.lent_until is null or membership.lent_until > clock_timestamp())`;
const ofScope = ({ kind, id }: Scope) =>
  id === null
    ? sql`membership.scope = ${kind} and membership.scope_id is null`
    : sql`membership.scope = ${kind} and membership.scope_id = ${id}`;

/** Changes of the members of a scope wait for one another, so that the last owner is counted rightly. */
export const lockMembers = (tx: Tx, { kind, id }: Scope) =>
  tx.send(sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${id}`}, 28))`);

interface NewMembership {
  id: string;
  personId: string;
  scope: Scope;
  role: Role;
  createdAt: Date;
  invitedBy: string | null;
}

export const insertMembership = (tx: Tx, { id, personId, scope, role, createdAt, invitedBy }: NewMembership) =>
  tx.run(sql`
    insert into membership (id, person_id, scope, scope_id, role, created_at, invited_by)
    values (${id}, ${personId}, ${scope.kind}, ${scope.id}, ${role}, ${createdAt}, ${invitedBy})`);

export const findMembership = (queries: Queries, scope: Scope, personId: string) =>
  queries.maybe<Membership>(sql`
    select ${columns} from membership where person_id = ${personId} and ${ofScope(scope)}`);

/** A person's memberships, locked until this transaction ends. */
export const lockMemberships = (tx: Tx, personId: string) =>
  tx.many<Membership>(sql`
    select ${columns} from membership where person_id = ${personId} and ${goesOn}
    order by id for key share`);

export const listMemberships = (queries: Queries, personId: string) =>
  queries.many<Membership & { organizationName: string | null }>(sql`
    select ${columns}, organization.name as "organizationName"
    from membership left join organization on organization.id = membership.scope_id and membership.scope = 'organization'
    where person_id = ${personId} and ${goesOn} order by organization.name, membership.id`);

/** The members, without people who have a lent look. */
export const listMembers = (queries: Queries, scope: Scope) =>
  queries.many<Member>(sql`
    select ${ofMember} where ${ofScope(scope)} and membership.lent_until is null order by person.name, membership.id`);

export const findMember = (queries: Queries, scope: Scope, id: string) =>
  queries.maybe<Member>(sql`
    select ${ofMember} where membership.id = ${id} and ${ofScope(scope)} and membership.lent_until is null`);

export const findMemberByEmail = (queries: Queries, scope: Scope, email: string) =>
  queries.maybe<Member>(sql`
    select ${ofMember} where person.email = ${email} and ${ofScope(scope)} and membership.lent_until is null`);

export const countOf = async (queries: Queries, scope: Scope, role: Role) =>
  (
    await queries.one<{ count: number }>(sql`
      select count(*)::int as count from membership where ${ofScope(scope)} and role = ${role}`)
  ).count;

export const changeRole = (queries: Queries, id: string, role: Role) =>
  queries.run(sql`update membership set role = ${role} where id = ${id}`);

export const deleteMembership = (queries: Queries, id: string) =>
  queries.run(sql`delete from membership where id = ${id}`);

/** Whether the person belongs to no other scope. */
export const belongsToAlone = async (queries: Queries, personId: string, scope: Scope): Promise<boolean> =>
  (await queries.maybe(
    sql`select from membership where person_id = ${personId} and not (${ofScope(scope)}) limit 1`,
  )) === undefined;

/** Whether the maker of a reset link leads the only scope that the person belongs to. */
export const mayReset = async (queries: Queries, makerId: string, personId: string): Promise<boolean> =>
  (await queries.maybe(sql`
    select from membership as maker
    join membership as own on own.scope = maker.scope and own.scope_id is not distinct from maker.scope_id
    where maker.person_id = ${makerId} and maker.role in ('owner', 'admin') and own.person_id = ${personId}
      and not exists (select from membership as other where other.person_id = ${personId} and other.id <> own.id)
    limit 1`)) !== undefined;
