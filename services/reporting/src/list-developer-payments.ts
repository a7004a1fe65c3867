import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listDeveloperPayments as contract } from '@cobro/contracts/routes/payment-reads.ts';
import type { DeveloperPaymentItem, DeveloperPaymentQuery } from '@cobro/contracts/developer-payments.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { issueCursor, readCursor } from './cursor.ts';
import type { Deps } from './deps.ts';
import { developerPaymentItem } from './payment.rules.ts';
import { findPayments, type PaymentFilters } from './payment.store.ts';
import { timeRange } from './time-range.rules.ts';

export async function listDeveloperPayments(
  deps: Deps,
  { caller, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const { limit, cursor, paymentLinkId, subscriptionId } = query;
  const filters = filtersOf(query);
  const list = { organizationId, filters: { ...filters, paymentLinkId, subscriptionId } };
  const after = cursor === undefined ? undefined : readCursor(deps.cursorKeys, list, cursor);
  // No payment comes from a payment link or a subscription yet.
  if (paymentLinkId !== undefined || subscriptionId !== undefined) return page(limit, [], null);

  const { merchants } = deps.reads;
  const rows = await merchants.inTurn(organizationId, () =>
    findPayments(merchants, { organizationId, filters, after, limit: limit + 1 }),
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  if (rows.length <= limit || last === undefined) return page(limit, shown.map(developerPaymentItem), null);
  const walkBegan = after?.walkBegan ?? last.walkBegan;
  const next = issueCursor(deps.cursorKeys, list, { walkBegan, createdAt: last.createdAt, id: last.id });
  return page(limit, shown.map(developerPaymentItem), next);
}

function filtersOf(query: DeveloperPaymentQuery): PaymentFilters {
  const { type, operationCode, paymentMethodId, oneTimePaymentId, paymentIntentId } = query;
  // Sorted and without repeats, so that a cursor fits the same filters however they are written.
  const status = query.status && [...new Set(query.status)].toSorted();
  return { status, type, operationCode, ...timeRange(query), paymentMethodId, oneTimePaymentId, paymentIntentId };
}

const page = (limit: number, data: DeveloperPaymentItem[], nextCursor: string | null) =>
  ok({ data, pagination: { limit, hasMore: nextCursor !== null, nextCursor } });
