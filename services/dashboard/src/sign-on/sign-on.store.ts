import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import type { Scope, ScopeKind } from '../people/roles.rules.ts';

export interface SignOn {
  id: string;
  scope: ScopeKind;
  scopeId: string | null;
  issuer: string;
  clientId: string;
  sealedSecret: Buffer;
  testedAt: Date | null;
  isRequired: boolean;
  keptMembershipId: string | null;
}

const columns = sql`id, scope, scope_id as "scopeId", issuer, client_id as "clientId", sealed_secret as "sealedSecret",
  tested_at as "testedAt", is_required as "isRequired", kept_membership_id as "keptMembershipId"`;
const ofScope = ({ kind, id }: Scope) =>
  id === null ? sql`scope = ${kind} and scope_id is null` : sql`scope = ${kind} and scope_id = ${id}`;

export const findSignOn = (queries: Queries, id: string) =>
  queries.maybe<SignOn>(sql`select ${columns} from sign_on where id = ${id}`);

export const signOnOf = (queries: Queries, scope: Scope) =>
  queries.maybe<SignOn>(sql`select ${columns} from sign_on where ${ofScope(scope)}`);

/** Stores new facts, which have to be tested again, and are not required until then. */
export const putSignOn = (
  queries: Queries,
  { id, issuer, clientId, sealedSecret }: Pick<SignOn, 'id' | 'issuer' | 'clientId' | 'sealedSecret'>,
  { kind, id: scopeId }: Scope,
) =>
  queries.run(sql`
    insert into sign_on (id, scope, scope_id, issuer, client_id, sealed_secret, changed_at)
    values (${id}, ${kind}, ${scopeId}, ${issuer}, ${clientId}, ${sealedSecret}, clock_timestamp())
    on conflict (scope, scope_id) do update set
      issuer = excluded.issuer, client_id = excluded.client_id, sealed_secret = excluded.sealed_secret,
      tested_at = null, is_required = false, kept_membership_id = null, changed_at = excluded.changed_at`);

/** Deletes it with its identities, and the sessions that it vouched for. */
export const deleteSignOn = (queries: Queries, scope: Scope) =>
  queries.run(sql`delete from sign_on where ${ofScope(scope)}`);

/** Does nothing if the facts were changed while the issuer was asked. */
export const noteTested = (queries: Queries, { id, sealedSecret }: SignOn, now: Date) =>
  queries.run(sql`update sign_on set tested_at = ${now} where id = ${id} and sealed_secret = ${sealedSecret}`);

/** Locks the facts until this transaction ends; false if they were entered anew since they were read. */
export const holdFacts = async (tx: Tx, { id, sealedSecret }: SignOn): Promise<boolean> =>
  (await tx.maybe(sql`
    select from sign_on where id = ${id} and sealed_secret = ${sealedSecret} for share`)) !== undefined;

export const require = (queries: Queries, scope: Scope, keptMembershipId: string | null) =>
  queries.run(sql`
    update sign_on set is_required = ${keptMembershipId !== null}, kept_membership_id = ${keptMembershipId}
    where ${ofScope(scope)} and (tested_at is not null or ${keptMembershipId}::uuid is null)`);

export const isKept = async (queries: Queries, membershipId: string): Promise<boolean> =>
  (await queries.maybe(sql`select from sign_on where kept_membership_id = ${membershipId}`)) !== undefined;

export interface Identity {
  subject: string;
  personId: string;
}

export const findIdentity = (queries: Queries, signOnId: string, subject: string) =>
  queries.maybe<Identity>(sql`
    select subject, person_id as "personId" from identity where sign_on_id = ${signOnId} and subject = ${subject}`);

/** 0 if the subject is linked already, or the person to another subject. */
export const insertIdentity = (tx: Tx, identity: Identity & { id: string; signOnId: string; createdAt: Date }) =>
  tx.run(sql`
    insert into identity (id, sign_on_id, subject, person_id, created_at)
    values (${identity.id}, ${identity.signOnId}, ${identity.subject}, ${identity.personId}, ${identity.createdAt})
    on conflict do nothing`);

/** Unlinks a person who no longer belongs to a scope. */
export const deleteIdentity = (tx: Tx, personId: string, scope: Scope): void =>
  tx.send(sql`
    delete from identity using sign_on
    where identity.sign_on_id = sign_on.id and identity.person_id = ${personId} and ${ofScope(scope)}`);

export const deleteIdentities = (tx: Tx, signOnId: string): void =>
  tx.send(sql`delete from identity where sign_on_id = ${signOnId}`);

export const endSessionsBy = (tx: Tx, signOnId: string, now: Date): void =>
  tx.send(sql`update session set ended_at = ${now} where sign_on_id = ${signOnId} and ended_at is null`);

export const listSealedSignOns = (queries: Queries) =>
  queries.many<{ id: string; sealedSecret: Buffer }>(sql`select id, sealed_secret as "sealedSecret" from sign_on`);

export const resealSignOn = (queries: Queries, id: string, was: Buffer, by: Buffer) =>
  queries.run(sql`update sign_on set sealed_secret = ${by} where id = ${id} and sealed_secret = ${was}`);
