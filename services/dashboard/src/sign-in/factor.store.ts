import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';

export interface FactorRow {
  id: string;
  sealedSecret: Buffer;
}

const columns = sql`id, sealed_secret as "sealedSecret"`;

export const listFactors = (queries: Queries, personId: string) =>
  queries.many<FactorRow>(sql`
    select ${columns} from factor where person_id = ${personId} and confirmed_at is not null`);

/** The one that is being set up. */
export const findNewFactor = (queries: Queries, personId: string) =>
  queries.maybe<FactorRow>(sql`
    select ${columns} from factor where person_id = ${personId} and confirmed_at is null order by created_at desc limit 1`);

export const insertFactor = (queries: Queries, factor: FactorRow & { personId: string; createdAt: Date }) =>
  queries.run(sql`
    insert into factor (id, person_id, kind, sealed_secret, created_at)
    values (${factor.id}, ${factor.personId}, 'totp', ${factor.sealedSecret}, ${factor.createdAt})`);

/** True once for each step: a code that was seen on its way is worth nothing to whoever saw it. */
export const spendStep = async (queries: Queries, id: string, step: number): Promise<boolean> =>
  (await queries.run(sql`update factor set last_step = ${step} where id = ${id} and last_step < ${step}`)) === 1;

/** The new factor takes the place of all others. */
export async function confirmFactor(tx: Tx, personId: string, id: string, now: Date): Promise<void> {
  tx.send(sql`delete from factor where person_id = ${personId} and id <> ${id}`);
  await tx.run(sql`update factor set confirmed_at = ${now} where id = ${id}`);
}

export const deleteFactors = (tx: Tx, personId: string): void => {
  tx.send(sql`delete from factor where person_id = ${personId}`);
  tx.send(sql`delete from recovery_code where person_id = ${personId}`);
};

/** These codes alone are good from now on. */
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

/** Sealed secrets, by id after this one, a page at most. */
export const listSealedFactors = (queries: Queries, after: string, page: number) =>
  queries.many<FactorRow>(sql`select ${columns} from factor where id > ${after} order by id limit ${page}`);

export const resealFactor = (queries: Queries, id: string, was: Buffer, by: Buffer) =>
  queries.run(sql`update factor set sealed_secret = ${by} where id = ${id} and sealed_secret = ${was}`);
