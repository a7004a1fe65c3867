import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { explainDisbursement as contract } from '@cobro/contracts/routes/reports.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';
import { disbursementShares, disbursementSteps } from './disbursement-steps.rules.ts';
import { findPayment } from './payment.store.ts';

/** GET /report/payment/{id}/disbursement */
export async function explainDisbursement(
  { reads }: Deps,
  { caller, params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const row = await findPayment(reads.merchants, caller.organizationId, params.id);
  if (row === undefined) throw new Refusal('PAYMENT_NOT_FOUND');
  const { id: paymentId, status } = row;
  const refundedAt = row.refundedAt?.toISOString() ?? null;
  return ok({ paymentId, status, refundedAt, steps: disbursementSteps(row), shares: disbursementShares(row) });
}
