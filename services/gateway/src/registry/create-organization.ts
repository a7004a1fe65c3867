import { newId } from '@cobro/contracts/ids.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { registerOrganization } from './organization-registration.ts';
import type { OrganizationChange, StoredOrganization } from './organization.store.ts';
import { partnerExists } from './partner.store.ts';

/** For an operator. @throws OperatorError if there is no such partner */
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
