import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import type { OrganizationRow } from '../organizations/organization.row.ts';
import { findOrganization } from '../organizations/organization.store.ts';
import type { OneTimePaymentRow } from './one-time-payment.row.ts';
import { findOneTimePayment } from './one-time-payment.store.ts';

/** A link, and what its payer is shown of its organization. */
export interface LinkToPay {
  link: OneTimePaymentRow;
  organization: OrganizationRow;
}

/** Returns undefined if there is no such link. @throws Refusal SERVICE_UNAVAILABLE until its organization's event has come */
export async function findLinkToPay(queries: Queries, id: string): Promise<LinkToPay | undefined> {
  const link = await findOneTimePayment(queries, id);
  if (link === undefined) return undefined;
  const organization = await findOrganization(queries, link.organizationId);
  if (organization === undefined) throw new Refusal('SERVICE_UNAVAILABLE');
  return { link, organization };
}
