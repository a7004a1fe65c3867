import { appendToOutbox } from '@cobro/events/outbox.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { organizationEvent } from './organization-event.ts';
import { type OrganizationChange, type StoredOrganization, updateOrganization } from './organization.store.ts';
import { partnerExists } from './partner.store.ts';

/** Changes the given fields, and appends OrganizationChanged in the same transaction. @throws OperatorError for unknown ids */
export async function changeOrganization(db: Database, input: OrganizationChange): Promise<StoredOrganization> {
  const { id, partnerId } = input;
  return db.inTransaction(async (tx) => {
    if (partnerId !== undefined && !(await partnerExists(tx, partnerId)))
      throw new OperatorError(`There is no partner ${partnerId}.`);
    const organization = await updateOrganization(tx, input);
    if (organization === undefined) throw new OperatorError(`There is no organization ${id}.`);
    appendToOutbox(tx, organizationEvent('OrganizationChanged', organization, new Date()));
    return organization;
  });
}
