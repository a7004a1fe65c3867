import type { CallerOf } from '@cobro/contracts/caller.ts';
import type { OffsetList } from '@cobro/contracts/paging.ts';
import type { Payment, PaymentQuery } from '@cobro/contracts/payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { type Answer, ok } from '@cobro/service-kit/handle.ts';
import type { Deps } from '../deps.ts';
import { findPaymentMethod } from '../cards/payment-method.store.ts';
import { showPayment } from './payment.rules.ts';
import { listPayments as list } from './payment.store.ts';

interface Input {
  caller: CallerOf<'merchant'>;
  params: { id: string };
  query: PaymentQuery;
}

/** GET /payment-method/{id}/payment: newest first. */
export async function listPayments(deps: Deps, { caller, params, query }: Input): Promise<Answer> {
  const method = await findPaymentMethod(deps.db, caller.organizationId, params.id);
  if (method === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
  const { page, pageSize, status } = query;
  const { count, rows } = await list(deps.db, { paymentMethodId: method.id, status, page, pageSize });
  const now = deps.clock.now();
  const body: OffsetList<Payment> = { count, page, pageSize, items: rows.map((row) => showPayment(row, now)) };
  return ok(body);
}
