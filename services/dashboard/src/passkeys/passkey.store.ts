import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';

export interface Passkey {
  id: string;
  personId: string;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: bigint;
  transports: string[];
  name: string;
  createdAt: Date;
  usedAt: Date | null;
}

const columns = sql`id, person_id as "personId", credential_id as "credentialId", public_key as "publicKey", counter,
  transports, name, created_at as "createdAt", used_at as "usedAt"`;

export const listPasskeys = (queries: Queries, personId: string) =>
  queries.many<Passkey>(sql`select ${columns} from passkey where person_id = ${personId} order by id`);

export const findPasskey = (queries: Queries, credentialId: Buffer) =>
  queries.maybe<Passkey>(sql`select ${columns} from passkey where credential_id = ${credentialId}`);

/** 0 if any person has this credential already. */
export const insertPasskey = (queries: Queries, passkey: Omit<Passkey, 'usedAt'>) =>
  queries.run(sql`
    insert into passkey (id, person_id, credential_id, public_key, counter, transports, name, created_at)
    values (${passkey.id}, ${passkey.personId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
      ${passkey.transports}, ${passkey.name}, ${passkey.createdAt})
    on conflict (credential_id) do nothing`);

export const deletePasskey = (queries: Queries, personId: string, id: string) =>
  queries.run(sql`delete from passkey where id = ${id} and person_id = ${personId}`);

export const deletePasskeys = (tx: Tx, personId: string): void =>
  tx.send(sql`delete from passkey where person_id = ${personId}`);

/** Raises the counter. 0 if another answer raised it this far meanwhile: one of them is a copy's. */
export const countUp = (queries: Queries, id: string, counter: bigint, now: Date) =>
  queries.run(sql`
    update passkey set counter = ${counter}, used_at = ${now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`);

/** True once for each challenge. */
export const spendChallenge = async (queries: Queries, hash: Buffer, now: Date): Promise<boolean> =>
  (await queries.run(sql`
    insert into answered_challenge (hash, answered_at) values (${hash}, ${now}) on conflict do nothing`)) === 1;

/** Deletes challenges that would be too old by now. */
export const pruneChallenges = (queries: Queries) =>
  queries.run(sql`delete from answered_challenge where answered_at < clock_timestamp() - interval '1 hour'`);
