import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { getPaymentLink as contract } from '@cobro/contracts/routes/payment-links.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { ownPaymentLink } from './own-payment-link.ts';
import { showPaymentLink } from './payment-link.rules.ts';

/** GET /payment-link/{id}, and /developer/v1/payment-link/{id}. */
export async function getPaymentLink(
  deps: Deps,
  { caller, params }: Pick<InputOf<typeof contract>, 'caller' | 'params'>,
): Promise<AnswerOf<typeof contract>> {
  const link = await ownPaymentLink(deps.db, { ...caller, id: params.id, now: deps.clock.now() });
  return ok(showPaymentLink(link, deps.checkoutBaseUrl));
}
