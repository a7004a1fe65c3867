import { type Queries, sql } from '@cobro/postgres/database.ts';

/** Keeps the facts with the highest sequence, in whatever order the events arrive. */
export const recordOrganization = (
  queries: Queries,
  { id, partnerId, sequence }: { id: string; partnerId: string | null; sequence: bigint },
) =>
  queries.run(sql`
    insert into organization (id, partner_id, sequence) values (${id}, ${partnerId}, ${sequence})
    on conflict (id) do update set partner_id = excluded.partner_id, sequence = excluded.sequence
    where organization.sequence < excluded.sequence`);

/** The organizations of a partner. */
export const findOrganizationsOf = async (queries: Queries, partnerId: string): Promise<string[]> =>
  (await queries.many<{ id: string }>(sql`select id from organization where partner_id = ${partnerId}`)).map(
    ({ id }) => id,
  );
