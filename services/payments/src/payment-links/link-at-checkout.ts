import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from '../deps.ts';
import type { OrganizationRow } from '../organizations/organization.row.ts';
import { findOrganization } from '../organizations/organization.store.ts';
import type { PaymentLinkRow } from './payment-link.row.ts';
import { findPaymentLink } from './payment-link.store.ts';

/** A payment link, and what its payers are shown of its organization. */
export interface LinkAtCheckout {
  link: PaymentLinkRow;
  organization: OrganizationRow;
}

/** Returns undefined if there is no such link. @throws Refusal SERVICE_UNAVAILABLE until its organization's event has come */
export async function findLinkAtCheckout({ db, clock }: Deps, id: string): Promise<LinkAtCheckout | undefined> {
  const link = await findPaymentLink(db, id, clock.now());
  if (link === undefined) return undefined;
  const organization = await findOrganization(db, link.organizationId);
  if (organization === undefined) throw new Refusal('SERVICE_UNAVAILABLE');
  return { link, organization };
}
