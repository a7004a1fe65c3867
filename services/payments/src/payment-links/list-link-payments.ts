import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listLinkPayments as contract } from '@cobro/contracts/routes/payment-links.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showPayment } from '../payments/payment.rules.ts';
import { listPaymentsOfPaymentLink } from '../payments/payment.store.ts';
import { ownPaymentLink } from './own-payment-link.ts';

/** GET /payment-link/{id}/payment: newest first. */
export async function listLinkPayments(
  deps: Deps,
  { caller, params, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { page, pageSize, status } = query;
  const now = deps.clock.now();
  const { count, rows } = await deps.reads.inTurn(caller.organizationId, async () => {
    const link = await ownPaymentLink(deps.reads, { ...caller, id: params.id, now });
    return listPaymentsOfPaymentLink(deps.reads, { paymentLinkId: link.id, status, page, pageSize });
  });
  return ok({ count, page, pageSize, items: rows.map((row) => showPayment(row, now)) });
}
