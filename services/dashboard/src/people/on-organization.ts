import type { Handler } from '@cobro/events/event-handlers.ts';
import { recordOrganization } from './organization.store.ts';

/** Both events have the name, by which people know where they act. */
export const onOrganization: Handler<'OrganizationRegistered' | 'OrganizationChanged'> = async (
  tx,
  { organizationId: id, name },
  { sequence },
) => {
  await recordOrganization(tx, { id, name, sequence: BigInt(sequence) });
};
