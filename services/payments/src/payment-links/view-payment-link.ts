import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { viewPaymentLink as contract } from '@cobro/contracts/routes/payment-links.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findLinkAtCheckout } from './link-at-checkout.ts';
import { showLinkPublicly } from './payment-link.rules.ts';

/** GET /payment-link/{id}/checkout, public. */
export async function viewPaymentLink(
  deps: Deps,
  { params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const found = await findLinkAtCheckout(deps, params.id);
  if (found === undefined) throw new Refusal('PAYMENT_LINK_NOT_FOUND');
  return ok(showLinkPublicly(found.link, found.organization));
}
