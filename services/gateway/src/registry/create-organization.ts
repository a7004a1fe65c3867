import { newId } from '@cobro/contracts/ids.ts';
import { appendToOutbox } from '@cobro/events/outbox.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { organizationEvent } from './organization-event.ts';
import { insertOrganization, type OrganizationChange, type StoredOrganization } from './organization.store.ts';
import { partnerExists } from './partner.store.ts';

/** Appends OrganizationRegistered in the same transaction. @throws OperatorError where there is no such partner */
export async function createOrganization(
  db: Database,
  input: Omit<OrganizationChange, 'id'> & { name: string },
): Promise<StoredOrganization> {
  const { name, websiteUrl = null, partnerId = null, color = null } = input;
  return db.inTransaction(async (tx) => {
    if (partnerId !== null && !(await partnerExists(tx, partnerId)))
      throw new OperatorError(`There is no partner ${partnerId}.`);
    const organization = await insertOrganization(tx, { id: newId(), name, websiteUrl, partnerId, color });
    appendToOutbox(tx, organizationEvent('OrganizationRegistered', organization, organization.createdAt));
    return organization;
  });
}
