import { type Queries, sql } from '@cobro/postgres/database.ts';

/** Returns undefined if the organization's event has not come yet. */
export const findOrganization = (queries: Queries, id: string) =>
  queries.maybe<{ name: string }>(sql`select name from organization where id = ${id}`);

/** Keeps the newer of the stored and the given facts, because events of one organization may come out of order. */
export const keepOrganization = (
  queries: Queries,
  { id, name, sequence }: { id: string; name: string; sequence: string },
) =>
  queries.run(sql`
    insert into organization as o (id, name, sequence) values (${id}, ${name}, ${sequence})
    on conflict (id) do update set name = excluded.name, sequence = excluded.sequence
    where o.sequence < excluded.sequence`);
