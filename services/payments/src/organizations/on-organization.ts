import type { Handler } from '@cobro/events/event-handlers.ts';
import { keepOrganization } from './organization.store.ts';

/** Our copy of an organization's name, for checkouts and receipts. */
export const onOrganization: Handler<'OrganizationRegistered' | 'OrganizationChanged'> = async (
  tx,
  { organizationId, name, websiteURL },
  { sequence },
) => {
  await keepOrganization(tx, { id: organizationId, name, websiteUrl: websiteURL, sequence });
};
