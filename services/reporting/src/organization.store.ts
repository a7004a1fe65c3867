import { type Queries, sql } from '@cobro/postgres/database.ts';

export interface Organization {
  id: string;
  name: string;
  partnerId: string | null;
  sequence: bigint;
}

/** Keeps what the highest sequence told, whatever the order of arrival. */
export async function recordOrganization(queries: Queries, organization: Organization): Promise<void> {
  const { id, name, partnerId, sequence } = organization;
  await queries.run(sql`
    insert into organization (id, name, partner_id, sequence)
    values (${id}, ${name}, ${partnerId}, ${sequence})
    on conflict (id) do update set name = excluded.name, partner_id = excluded.partner_id, sequence = excluded.sequence
    where organization.sequence < excluded.sequence`);
}
