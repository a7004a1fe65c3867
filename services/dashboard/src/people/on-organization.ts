import type { Handler } from '@cobro/events/event-handlers.ts';
import { recordOrganization } from './organization.store.ts';

/** Both events have the organization's name and its sales partner. */
export const onOrganization: Handler<'OrganizationRegistered' | 'OrganizationChanged'> = async (
  tx,
  { organizationId: id, name, partnerId },
  { sequence },
) => {
  await recordOrganization(tx, { id, name, partnerId, sequence: BigInt(sequence) });
};
