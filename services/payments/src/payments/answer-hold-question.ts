import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { askForHold as contract } from '@cobro/contracts/routes/internal.ts';
import type { HoldAnswer } from '@cobro/contracts/hold-questions.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { holdPlaced } from './payment-events.ts';
import { findPaymentMethod } from '../cards/payment-method.store.ts';
import { findPayment } from './payment.store.ts';

/** GET /internal/payments/{id}: holds asks this if it lacks the hold or has it with another card; webhooks names no card. */
export async function answerHoldQuestion(
  deps: Deps,
  { params, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  return ok(await answer(deps, params.id, query));
}

async function answer(deps: Deps, paymentId: string, asked: InputOf<typeof contract>['query']): Promise<HoldAnswer> {
  const { organizationId, paymentMethodId } = asked;
  const isKnown = async (id: string) => (await findPaymentMethod(deps.db, organizationId, id)) !== undefined;
  if (paymentMethodId !== undefined && !(await isKnown(paymentMethodId))) {
    return { kind: 'none', code: 'PAYMENT_METHOD_NOT_FOUND' };
  }
  const payment = await findPayment(deps.db, organizationId, paymentId);
  if (payment === undefined) return { kind: 'none', code: 'PAYMENT_NOT_FOUND' };
  const charged = payment.paymentMethodId;
  if (charged === null || (paymentMethodId ?? charged) !== charged) {
    return { kind: 'none', code: 'PAYMENT_METHOD_MISMATCH' };
  }
  // A hold that has ended is answered as well: holds knows that it has ended, and the event of its placing stays the same.
  if (payment.heldAt === null) return { kind: 'none', code: 'PAYMENT_NOT_HELD' };
  return { kind: 'hold', event: holdPlaced(payment) };
}
