import { appendToOutbox } from '@cobro/events/outbox.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { organizationEvent } from './organization-event.ts';
import { insertOrganization, type Organization, type StoredOrganization } from './organization.store.ts';

/** Appends OrganizationRegistered in the same transaction. Returns undefined if the id is taken. */
export const registerOrganization = (db: Database, given: Organization): Promise<StoredOrganization | undefined> =>
  db.inTransaction(async (tx) => {
    const organization = await insertOrganization(tx, given);
    if (organization !== undefined) {
      appendToOutbox(tx, organizationEvent('OrganizationRegistered', organization, organization.createdAt));
    }
    return organization;
  });
