import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import { type Language, type PersonRow, personTable } from './person.row.ts';

const columns = personTable.list;
const inserting = personTable.inserting('id', 'email', 'name', 'passwordHash', 'language', 'createdAt');

/** Undefined if somebody has this e-mail. */
export const insertPerson = (queries: Queries, person: PersonRow) =>
  queries.maybe<PersonRow>(
    sql`insert into person ${inserting(person)} on conflict (email) do nothing returning ${columns}`,
  );

export const findPerson = (queries: Queries, id: string) =>
  queries.maybe<PersonRow>(sql`select ${columns} from person where id = ${id}`);

export const findPersonByEmail = (queries: Queries, email: string) =>
  queries.maybe<PersonRow>(sql`select ${columns} from person where email = ${email}`);

/** Changes of one person's sessions and factors wait for one another, so that none outlives a change that ends all. */
export const lockPerson = (tx: Tx, id: string) =>
  tx.one<PersonRow>(sql`select ${columns} from person where id = ${id} for no key update`);

export const changePassword = (queries: Queries, id: string, passwordHash: string) =>
  queries.run(sql`update person set password_hash = ${passwordHash} where id = ${id}`);

export const changeLanguage = (queries: Queries, id: string, language: Language) =>
  queries.run(sql`update person set language = ${language} where id = ${id}`);

export const nameItself = (queries: Queries, id: string, { name, language }: Pick<PersonRow, 'name' | 'language'>) =>
  queries.run(sql`update person set name = ${name}, language = ${language} where id = ${id}`);

/** Names of people by their ids, as far as they are known. */
export async function namesOf(queries: Queries, ids: readonly string[]): Promise<Record<string, string>> {
  if (ids.length === 0) return {};
  const rows = await queries.many<{ id: string; name: string }>(sql`
    select id, name from person where id = any(${ids}::uuid[])`);
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}
