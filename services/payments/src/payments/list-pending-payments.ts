import { findUnanswered } from '@cobro/bank/timeline.store.ts';
import { unansweredOfHolds } from '@cobro/contracts/payment-timeline.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listPendingPayments as contract } from '@cobro/contracts/routes/payment-timeline.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { askHolds } from './ask-holds.ts';
import { showRecord } from './payment-record.ts';
import { findPaymentsOfIds, isPaymentOf } from './payment.store.ts';

/** GET /payment/pending: our own charges, holds and refunds; captures and releases by holds. */
export async function listPendingPayments(
  deps: Deps,
  { caller, query: { limit }, deadline }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const { reads } = deps;
  const path = `/internal/unanswered?organizationId=${organizationId}&limit=${limit}`;
  const [own, ofHolds] = await Promise.all([
    reads.inTurn(organizationId, () => findUnanswered(reads, isPaymentOf(organizationId), limit)),
    askHolds(deps, path, unansweredOfHolds, deadline),
  ]);
  const oldest = [...own.items, ...(ofHolds?.items ?? [])]
    .toSorted((a, b) => a.operation.askedAt.localeCompare(b.operation.askedAt))
    .slice(0, limit);
  const rows = await findPaymentsOfIds(
    deps.reads,
    oldest.map(({ paymentId }) => paymentId),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const now = deps.clock.now();
  const items = oldest.flatMap(({ paymentId, operation }) => {
    const row = byId.get(paymentId);
    return row === undefined ? [] : [{ payment: showRecord(row, now), operation }];
  });
  return ok({ count: own.count + (ofHolds?.count ?? 0), complete: ofHolds !== undefined, items });
}
