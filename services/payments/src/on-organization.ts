import { dataOf, type Envelope } from '@cobro/contracts/events.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { keepOrganization } from './organization.store.ts';

/** OrganizationRegistered and OrganizationChanged: our copy of what checkouts and receipts show of it. */
export async function onOrganization(tx: Tx, event: Envelope): Promise<void> {
  const type = event.type === 'OrganizationChanged' ? 'OrganizationChanged' : 'OrganizationRegistered';
  const { organizationId, name, websiteURL, color = null } = dataOf(type, event);
  const { sequence } = event;
  await keepOrganization(tx, { id: organizationId, name, websiteUrl: websiteURL, color, sequence });
}
