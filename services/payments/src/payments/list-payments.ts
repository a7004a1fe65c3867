import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listPayments as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findPaymentMethod } from '../cards/payment-method.store.ts';
import { showPayment } from './payment.rules.ts';
import { listPayments as list } from './payment.store.ts';

/** GET /payment-method/{id}/payment: newest first. */
export async function listPayments(
  deps: Deps,
  { caller, params, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { page, pageSize, status } = query;
  const read = () =>
    deps.reads.inTurn(caller.organizationId, async () => {
      const method = await findPaymentMethod(deps.reads, caller.organizationId, params.id);
      if (method === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
      return list(deps.reads, { paymentMethodId: method.id, status, page, pageSize });
    });
  const found = await read();
  const { count, rows } = (await deps.missedEndings.apply(found.rows)) ? await read() : found;
  const now = deps.clock.now();
  return ok({ count, page, pageSize, items: rows.map((row) => showPayment(row, now)) });
}
