import type { Handler } from '@cobro/events/event-handlers.ts';
import { keepOrganization } from './organization.store.ts';

/** Keeps our copy of what checkouts and receipts show of an organization. */
export const onOrganization: Handler<'OrganizationRegistered' | 'OrganizationChanged'> = async (
  tx,
  { organizationId, name, websiteURL, color = null },
  { sequence },
) => {
  await keepOrganization(tx, { id: organizationId, name, websiteUrl: websiteURL, color, sequence });
};
