import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listDeveloperPayments as contract } from '@cobro/contracts/routes/payment-reads.ts';
import type { DeveloperPaymentQuery } from '@cobro/contracts/developer-payments.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { cursorPage, readCursor } from '@cobro/service-kit/list-cursor.ts';
import type { Deps } from './deps.ts';
import { developerPaymentItem } from './payment.rules.ts';
import { findPayments, type ListedPayment, type PaymentFilters } from './payment.store.ts';
import { timeRange } from '@cobro/domain/time-range.ts';

export async function listDeveloperPayments(
  deps: Deps,
  { caller, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const { limit, cursor, paymentLinkId, subscriptionId } = query;
  const filters = filtersOf(query);
  const list = { name: 'developer-payments', organizationId, filters: { ...filters, paymentLinkId, subscriptionId } };
  const after = cursor === undefined ? undefined : readCursor(deps.cursorKeys, list, cursor);
  const page = (rows: ListedPayment[]) =>
    ok(cursorPage(deps.cursorKeys, list, { limit, after, rows, show: developerPaymentItem }));
  // No payment comes from a payment link or a subscription yet.
  if (paymentLinkId !== undefined || subscriptionId !== undefined) return page([]);

  const { merchants } = deps.reads;
  return page(
    await merchants.inTurn(organizationId, () =>
      findPayments(merchants, { organizationId, filters, after, limit: limit + 1 }),
    ),
  );
}

function filtersOf(query: DeveloperPaymentQuery): PaymentFilters {
  const { type, operationCode, paymentMethodId, oneTimePaymentId, paymentIntentId } = query;
  // Sorted and without repeats, so that a cursor fits the same filters however they are written.
  const status = query.status && [...new Set(query.status)].toSorted();
  return { status, type, operationCode, ...timeRange(query), paymentMethodId, oneTimePaymentId, paymentIntentId };
}
