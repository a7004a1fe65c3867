import { dataOf, type Envelope } from '@cobro/contracts/events.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { keepOrganization } from './organization.store.ts';

/** OrganizationRegistered and OrganizationChanged: our copy of its name, for checkouts and receipts. */
export async function onOrganization(tx: Tx, event: Envelope): Promise<void> {
  const type = event.type === 'OrganizationChanged' ? 'OrganizationChanged' : 'OrganizationRegistered';
  const { organizationId, name, websiteURL } = dataOf(type, event);
  await keepOrganization(tx, { id: organizationId, name, websiteUrl: websiteURL, sequence: event.sequence });
}
