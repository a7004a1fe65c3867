import { dataOf, type Envelope } from '@cobro/contracts/events.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { recordOrganization } from './organization.store.ts';

/** Registering and changing tell the same: all that is known of the organization. */
export const onOrganizationChanged =
  (type: 'OrganizationRegistered' | 'OrganizationChanged') =>
  async (tx: Tx, event: Envelope): Promise<void> => {
    const { organizationId, name, partnerId } = dataOf(type, event);
    await recordOrganization(tx, { id: organizationId, name, partnerId, sequence: BigInt(event.sequence) });
  };
