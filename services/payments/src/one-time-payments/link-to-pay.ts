import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import type { OrganizationRow } from '../organizations/organization.row.ts';
import { findOrganization } from '../organizations/organization.store.ts';
import type { OneTimePaymentRow } from './one-time-payment.row.ts';
import { findOneTimePayment } from './one-time-payment.store.ts';

/** A link with what its payer is shown of its organization. */
export interface LinkToPay {
  link: OneTimePaymentRow;
  organization: OrganizationRow;
}

/** Undefined where there is no such link. Refused as SERVICE_UNAVAILABLE while its organization's event is still on its way. */
export async function findLinkToPay(queries: Queries, id: string): Promise<LinkToPay | undefined> {
  const link = await findOneTimePayment(queries, id);
  if (link === undefined) return undefined;
  const organization = await findOrganization(queries, link.organizationId);
  if (organization === undefined) throw new Refusal('SERVICE_UNAVAILABLE');
  return { link, organization };
}
