import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import type { PaymentLinkRow } from './payment-link.row.ts';
import { findPaymentLink } from './payment-link.store.ts';

/** Finds a link for its merchant only. @throws Refusal 404 */
export async function ownPaymentLink(
  queries: Queries,
  { organizationId, id, now }: { organizationId: string; id: string; now: Date },
): Promise<PaymentLinkRow> {
  const link = await findPaymentLink(queries, id, now);
  if (link?.organizationId !== organizationId) throw new Refusal('PAYMENT_LINK_NOT_FOUND');
  return link;
}
