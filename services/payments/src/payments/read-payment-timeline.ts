import { timelineOf } from '@cobro/bank/timeline.store.ts';
import { holdOperations } from '@cobro/contracts/payment-timeline.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { readPaymentTimeline as contract } from '@cobro/contracts/routes/payment-timeline.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { askHolds } from './ask-holds.ts';
import { showRecord } from './payment-record.ts';
import { findPayment } from './payment.store.ts';

/** GET /payment/{id}/timeline */
export async function readPaymentTimeline(
  deps: Deps,
  { caller, params, deadline }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const find = () => findPayment(deps.db, caller.organizationId, params.id);
  const row = await find();
  if (row === undefined) throw new Refusal('PAYMENT_NOT_FOUND');
  const [own, ofHold] = await Promise.all([
    timelineOf(deps.db, row.id),
    row.heldAt === null
      ? { operations: [] }
      : askHolds(deps, `/internal/holds/${row.id}/operations`, holdOperations, deadline),
  ]);
  // The payment is read after the operations, so that its status is never older than what they say.
  const current = (await find()) ?? row;
  // If holds did not answer just now, it is not asked again.
  const isOld = ofHold !== undefined && (await deps.missedEndings.apply([current]));
  const latest = isOld ? ((await find()) ?? current) : current;
  const operations = [...own, ...(ofHold?.operations ?? [])].toSorted((a, b) => a.askedAt.localeCompare(b.askedAt));
  return ok({ payment: showRecord(latest, deps.clock.now()), complete: ofHold !== undefined, operations });
}
