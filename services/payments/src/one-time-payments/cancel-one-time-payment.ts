import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { cancelOneTimePayment as contract } from '@cobro/contracts/routes/one-time-payments.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findOpenPaymentOfOneTimePayment } from '../payments/payment.store.ts';
import type { OneTimePaymentRow } from './one-time-payment.row.ts';
import { showOneTimePayment } from './one-time-payment.rules.ts';
import { cancelLink, lockOwnLink } from './one-time-payment.store.ts';

/** PATCH /one-time-payment/{id}/cancel: cancels a PENDING link, expired or not, but never while a card is being charged for it. */
export async function cancelOneTimePayment(
  deps: Deps,
  { caller, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const row = await deps.db.inTransaction(async (tx): Promise<OneTimePaymentRow> => {
    const link = await lockOwnLink(tx, caller.organizationId, params.id);
    if (link === undefined) throw new Refusal('ONE_TIME_PAYMENT_NOT_FOUND');
    readBody();
    if (link.status === 'CANCELLED') return link;
    if (link.status === 'CONFIRMED') throw new Refusal('ONE_TIME_PAYMENT_NOT_PENDING');
    // Read after the lock, so that it finds an attempt that was claimed before.
    if ((await findOpenPaymentOfOneTimePayment(tx, link.id)) !== undefined) throw new Refusal('PAYMENT_IN_PROGRESS');
    const cancelled = await cancelLink(tx, link.id, deps.clock.now());
    if (cancelled === undefined) throw new Error('a locked link has left PENDING');
    return cancelled;
  });
  const { id, status, description, amount, currency, externalId, expiresAt, createdAt, updatedAt } =
    showOneTimePayment(row);
  return ok({ id, status, description, amount, currency, externalId, expiresAt, createdAt, updatedAt });
}
