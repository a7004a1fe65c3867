import { newId } from '@cobro/contracts/ids.ts';
import { appendToOutbox } from '@cobro/events/outbox.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { organizationEvent } from './organization-event.ts';
import {
  insertOrganization,
  type Organization,
  type OrganizationChange,
  type StoredOrganization,
} from './organization.store.ts';
import { partnerExists } from './partner.store.ts';

/** By an operator. @throws OperatorError where there is no such partner */
export async function createOrganization(
  db: Database,
  input: Omit<OrganizationChange, 'id'> & { name: string },
): Promise<StoredOrganization> {
  const { name, websiteUrl = null, partnerId = null, color = null } = input;
  if (partnerId !== null && !(await partnerExists(db, partnerId)))
    throw new OperatorError(`There is no partner ${partnerId}.`);
  const made = await registerOrganization(db, { id: newId(), name, websiteUrl, partnerId, color });
  if (made === undefined) throw new Error('a new id is taken');
  return made;
}

/** Appends OrganizationRegistered in the same transaction. Undefined where the id is taken. */
export const registerOrganization = (db: Database, given: Organization): Promise<StoredOrganization | undefined> =>
  db.inTransaction(async (tx) => {
    const organization = await insertOrganization(tx, given);
    if (organization !== undefined) {
      appendToOutbox(tx, organizationEvent('OrganizationRegistered', organization, organization.createdAt));
    }
    return organization;
  });
