import { type Queries, sql } from '@cobro/postgres/database.ts';

/** Keeps the facts with the highest sequence, in whatever order the events arrive. */
export const recordOrganization = (
  queries: Queries,
  { id, name, sequence }: { id: string; name: string; sequence: bigint },
) =>
  queries.run(sql`
    insert into organization (id, name, sequence) values (${id}, ${name}, ${sequence})
    on conflict (id) do update set name = excluded.name, sequence = excluded.sequence
    where organization.sequence < excluded.sequence`);

export const findOrganizationName = async (queries: Queries, id: string): Promise<string | undefined> =>
  (await queries.maybe<{ name: string }>(sql`select name from organization where id = ${id}`))?.name;
