import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { readOneTimePayment as contract } from '@cobro/contracts/routes/one-time-payments.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findPaymentOfOneTimePayment } from '../payments/payment.store.ts';
import { findSalesperson, showSeller } from '../salespeople/salesperson.store.ts';
import { checkoutUrlOf, hasExpired, showOneTimePayment } from './one-time-payment.rules.ts';
import { findOneTimePayment } from './one-time-payment.store.ts';

/** GET /one-time-payment/{id}/record: for its merchant only, unlike what its payer sees. */
export async function readOneTimePayment(
  deps: Deps,
  { caller, params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const link = await findOneTimePayment(deps.db, params.id);
  if (link?.organizationId !== caller.organizationId) throw new Refusal('ONE_TIME_PAYMENT_NOT_FOUND');
  const { organizationId, salespersonId } = link;
  const [paid, salesperson] = await Promise.all([
    findPaymentOfOneTimePayment(deps.db, link.id),
    salespersonId === null ? undefined : findSalesperson(deps.db, organizationId, salespersonId),
  ]);
  return ok({
    ...showOneTimePayment(link),
    checkoutUrl: checkoutUrlOf(deps.checkoutBaseUrl, link),
    expired: hasExpired(link, deps.clock.now()),
    payment:
      paid === undefined ? null : { id: paid.id, status: paid.status, operationCode: Number(paid.operationCode) },
    salesperson: salesperson === undefined ? null : showSeller(salesperson),
  });
}
