import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import { ABSOLUTE_HOURS } from '../sessions/session.rules.ts';

export interface FactorRow {
  id: string;
  sealedSecret: Buffer;
}

const columns = sql`id, sealed_secret as "sealedSecret"`;

export const listFactors = (queries: Queries, personId: string) =>
  queries.many<FactorRow>(sql`
    select ${columns} from factor where person_id = ${personId} and confirmed_at is not null`);

interface NewFactor extends FactorRow {
  personId: string;
  /** The session in which it is set up; a session sets up one at most. */
  sessionId: string | null;
  createdAt: Date;
}

export const insertFactor = (tx: Tx, factor: NewFactor): void =>
  tx.send(sql`
    insert into factor (id, person_id, kind, sealed_secret, created_at, session_id)
    values (${factor.id}, ${factor.personId}, 'totp', ${factor.sealedSecret}, ${factor.createdAt}, ${factor.sessionId})
    on conflict (session_id) where confirmed_at is null do nothing`);

export const newFactorOf = (queries: Queries, sessionId: string) =>
  queries.one<FactorRow>(sql`
    select ${columns} from factor where session_id = ${sessionId} and confirmed_at is null`);

/** True once for each step, so that an intercepted code is worth nothing once it is used. */
export const spendStep = async (queries: Queries, id: string, step: number): Promise<boolean> =>
  (await queries.run(sql`update factor set last_step = ${step} where id = ${id} and last_step < ${step}`)) === 1;

/** Confirms the new factor and deletes all others. */
export async function confirmFactor(tx: Tx, personId: string, id: string, now: Date): Promise<void> {
  tx.send(sql`delete from factor where person_id = ${personId} and id <> ${id}`);
  await tx.run(sql`update factor set confirmed_at = ${now}, session_id = null where id = ${id}`);
}

/** Deletes unconfirmed factors that are older than any session can be, so that nobody can confirm them. */
export const pruneNewFactors = (queries: Queries) =>
  queries.run(sql`
    delete from factor where confirmed_at is null
      and created_at < clock_timestamp() - make_interval(hours => ${ABSOLUTE_HOURS})`);

export const deleteFactors = (tx: Tx, personId: string): void => {
  tx.send(sql`delete from factor where person_id = ${personId}`);
  tx.send(sql`delete from recovery_code where person_id = ${personId}`);
};

/** Only these codes are valid from now on. */
export async function replaceRecoveryCodes(tx: Tx, personId: string, hashes: readonly Buffer[]): Promise<void> {
  tx.send(sql`delete from recovery_code where person_id = ${personId}`);
  await tx.run(sql`insert into recovery_code (person_id, code_hash) select ${personId}, unnest(${hashes}::bytea[])`);
}

export const spendRecoveryCode = async (
  queries: Queries,
  personId: string,
  hash: Buffer,
  now: Date,
): Promise<boolean> =>
  (await queries.run(sql`
    update recovery_code set used_at = ${now} where person_id = ${personId} and code_hash = ${hash} and used_at is null`)) ===
  1;

export const countRecoveryCodes = async (queries: Queries, personId: string): Promise<number> =>
  (
    await queries.one<{ count: number }>(sql`
      select count(*)::int as count from recovery_code where person_id = ${personId} and used_at is null`)
  ).count;

/** A page of sealed secrets, by id, after this one. */
export const listSealedFactors = (queries: Queries, after: string, page: number) =>
  queries.many<FactorRow>(sql`select ${columns} from factor where id > ${after} order by id limit ${page}`);

export const resealFactor = (queries: Queries, id: string, was: Buffer, by: Buffer) =>
  queries.run(sql`update factor set sealed_secret = ${by} where id = ${id} and sealed_secret = ${was}`);
