import { type Queries, sql } from '@cobro/postgres/database.ts';

export interface Organization {
  id: string;
  name: string;
  partnerId: string | null;
  sequence: bigint;
}

/** Keeps the facts with the highest sequence, in whatever order the events arrive. */
export async function recordOrganization(queries: Queries, organization: Organization): Promise<void> {
  const { id, name, partnerId, sequence } = organization;
  await queries.run(sql`
    insert into organization (id, name, partner_id, sequence)
    values (${id}, ${name}, ${partnerId}, ${sequence})
    on conflict (id) do update set name = excluded.name, partner_id = excluded.partner_id, sequence = excluded.sequence
    where organization.sequence < excluded.sequence`);
}

export function findOrganizationsOf(queries: Queries, partnerId: string): Promise<{ id: string; name: string }[]> {
  return queries.many(sql`select id, name from organization where partner_id = ${partnerId}`);
}
