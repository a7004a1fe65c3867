import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listDeveloperPayments as contract } from '@cobro/contracts/routes/payment-reads.ts';
import type { DeveloperPaymentQuery } from '@cobro/contracts/developer-payments.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { cursorPage, readCursor } from '@cobro/service-kit/list-cursor.ts';
import type { Deps } from './deps.ts';
import { developerPaymentItem } from './payment.rules.ts';
import { findPayments, type PaymentFilters } from './payment.store.ts';
import { timeRange } from '@cobro/domain/time-range.ts';

export async function listDeveloperPayments(
  deps: Deps,
  { caller, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const { limit, cursor } = query;
  const filters = filtersOf(query);
  const list = { name: 'developer-payments', organizationId, filters };
  const after = cursor === undefined ? undefined : readCursor(deps.cursorKeys, list, cursor);
  const { merchants } = deps.reads;
  const rows = await merchants.inTurn(organizationId, () =>
    findPayments(merchants, { organizationId, filters, after, limit: limit + 1 }),
  );
  return ok(cursorPage(deps.cursorKeys, list, { limit, after, rows, show: developerPaymentItem }));
}

function filtersOf(query: DeveloperPaymentQuery): PaymentFilters {
  const { type, operationCode, paymentMethodId, oneTimePaymentId, paymentIntentId, paymentLinkId, subscriptionId } =
    query;
  // Sorted and without repeats, so that a cursor fits the same filters however they are written.
  const status = query.status && [...new Set(query.status)].toSorted();
  const origin = { paymentMethodId, oneTimePaymentId, paymentIntentId, paymentLinkId, subscriptionId };
  return { status, type, operationCode, ...timeRange(query), ...origin };
}
