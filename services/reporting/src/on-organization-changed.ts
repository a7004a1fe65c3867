import type { Handler } from '@cobro/events/event-handlers.ts';
import { recordOrganization } from './organization.store.ts';

/** Both events have the same data: all that is known of the organization. */
export const onOrganizationChanged: Handler<'OrganizationRegistered' | 'OrganizationChanged'> = async (
  tx,
  { organizationId, name, partnerId },
  { sequence },
) => {
  await recordOrganization(tx, { id: organizationId, name, partnerId, sequence: BigInt(sequence) });
};
