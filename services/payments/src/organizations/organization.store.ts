import type { OrganizationRow } from './organization.row.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';

/** Undefined where the organization's event has not come yet. */
export const findOrganization = (queries: Queries, id: string) =>
  queries.maybe<OrganizationRow>(sql`
    select name, website_url as "websiteUrl", color from organization where id = ${id}`);

/** Keeps the newer of the stored and the given facts, because events of one organization may come out of order. */
export const keepOrganization = (
  queries: Queries,
  organization: { id: string; name: string; websiteUrl: string | null; color: string | null; sequence: string },
) =>
  queries.run(sql`
    insert into organization as o (id, name, website_url, color, sequence)
    values (${organization.id}, ${organization.name}, ${organization.websiteUrl}, ${organization.color},
      ${organization.sequence})
    on conflict (id) do update set name = excluded.name, website_url = excluded.website_url, color = excluded.color,
      sequence = excluded.sequence
    where o.sequence < excluded.sequence`);

/** Whether the organization's event has come. The event of a new organization may still be on its way. */
export const organizationIsKnown = async (queries: Queries, id: string): Promise<boolean> =>
  (await queries.maybe(sql`select from organization where id = ${id}`)) !== undefined;
