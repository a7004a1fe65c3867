import { Refusal } from '@cobro/contracts/refusals.ts';
import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import type { OrganizationRow } from './organization.row.ts';

/** Returns undefined until the organization's event has come. */
export const findOrganization = (queries: Queries, id: string) =>
  queries.maybe<OrganizationRow>(sql`
    select name, website_url as "websiteUrl", color from organization where id = ${id}`);

/**
 * Keeps the newer of the stored and the given facts, because events of one organization may come out of order. An event that is
 * published again adds the sponsor that an older release left out. Returns whether the given facts were kept.
 */
export const keepOrganization = async (
  queries: Queries,
  organization: OrganizationRow & {
    id: string;
    sequence: string;
    partnerId: string | null;
    partnerName: string | null;
  },
) =>
  (await queries.run(sql`
    insert into organization as o (id, name, website_url, color, partner_id, partner_name, sequence)
    values (${organization.id}, ${organization.name}, ${organization.websiteUrl}, ${organization.color},
      ${organization.partnerId}, ${organization.partnerName}, ${organization.sequence})
    on conflict (id) do update set name = excluded.name, website_url = excluded.website_url, color = excluded.color,
      partner_id = excluded.partner_id, partner_name = excluded.partner_name, sequence = excluded.sequence
    where o.sequence < excluded.sequence or o.sequence = excluded.sequence and o.partner_name is null`)) > 0;

/**
 * Returns the partner that sponsors the organization's promotions, or undefined, and locks it against a change.
 * @throws Refusal SERVICE_UNAVAILABLE until the organization's event has come
 */
export async function lockSponsor(tx: Tx, id: string): Promise<{ partnerId: string; partnerName: string } | undefined> {
  const found = await tx.maybe<{ partnerId: string | null; partnerName: string | null }>(sql`
    select partner_id as "partnerId", partner_name as "partnerName" from organization where id = ${id}
    for no key update`);
  if (found === undefined) throw new Refusal('SERVICE_UNAVAILABLE');
  const { partnerId, partnerName } = found;
  return partnerId === null || partnerName === null ? undefined : { partnerId, partnerName };
}

/** Locks the organization, so that its fees change one request after the other. Returns whether its event has come. */
export const lockOrganization = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.maybe(sql`select from organization where id = ${id} for no key update`)) !== undefined;

/** Whether the organization's event has come. The event of a new organization may still be on its way. */
export const organizationIsKnown = async (queries: Queries, id: string): Promise<boolean> =>
  (await queries.maybe(sql`select from organization where id = ${id}`)) !== undefined;
