import type { OrganizationProfile } from '@cobro/contracts/organizations.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { findOrganization } from '../registry/organization.store.ts';

/** The profile as it is now. @throws Refusal 404 if the dashboard names an organization that is not here */
export async function readProfile(db: Queries, organizationId: string): Promise<OrganizationProfile> {
  const row = await findOrganization(db, organizationId);
  if (row === undefined) throw new Refusal('NOT_FOUND');
  const { id, name, websiteUrl, supportEmail, supportPhoneNumber, partnerId, partnerName } = row;
  return {
    id,
    name,
    business: { websiteURL: websiteUrl, supportEmail, supportPhoneNumber },
    partner: partnerId === null || partnerName === null ? null : { id: partnerId, name: partnerName },
    createdAt: row.createdAt.toISOString(),
    updatedAt: (row.updatedAt ?? row.createdAt).toISOString(),
  };
}
