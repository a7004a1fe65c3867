import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { viewOneTimePayment as contract } from '@cobro/contracts/routes/one-time-payments.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findLinkToPay } from './link-to-pay.ts';
import { showPublicly } from './one-time-payment.rules.ts';

/** GET /one-time-payment/{id}, public. */
export async function viewOneTimePayment(
  deps: Deps,
  { params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const found = await findLinkToPay(deps.db, params.id);
  if (found === undefined) throw new Refusal('ONE_TIME_PAYMENT_NOT_FOUND');
  return ok(showPublicly(found.link, found.organization, deps.clock.now()));
}
