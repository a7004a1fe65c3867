import type { Handler } from '@cobro/events/event-handlers.ts';
import { keepOrganization } from './organization.store.ts';

/** Keeps our copy of what terminals show of an organization. */
export const onOrganization: Handler<'OrganizationRegistered' | 'OrganizationChanged'> = async (
  tx,
  { organizationId, name },
  { sequence },
) => {
  await keepOrganization(tx, { id: organizationId, name, sequence });
};
