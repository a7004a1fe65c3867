import { type Queries, sql } from '@cobro/postgres/database.ts';

/** Keeps the facts with the highest sequence, in any order of events. A repeated event fills in what an older release left out. */
export const recordOrganization = (
  queries: Queries,
  { id, name, partnerId, sequence }: { id: string; name: string; partnerId: string | null; sequence: bigint },
) =>
  queries.run(sql`
    insert into organization (id, name, partner_id, sequence) values (${id}, ${name}, ${partnerId}, ${sequence})
    on conflict (id) do update set name = excluded.name, partner_id = excluded.partner_id, sequence = excluded.sequence
    where organization.sequence <= excluded.sequence`);

/** A partner's organizations, by name. */
export const listOrganizationsOf = (queries: Queries, partnerId: string, offset: number, most: number) =>
  queries.many<{ id: string; name: string }>(sql`
    select id, name from organization where partner_id = ${partnerId} order by name, id limit ${most} offset ${offset}`);

export const findOrganizationName = async (queries: Queries, id: string): Promise<string | undefined> =>
  (await queries.maybe<{ name: string }>(sql`select name from organization where id = ${id}`))?.name;
