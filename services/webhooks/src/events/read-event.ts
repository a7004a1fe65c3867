import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { readEvent as contract } from '@cobro/contracts/routes/events.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { keptSince, showEvent } from './event.rules.ts';
import { findEvent } from './event.store.ts';

/** GET /event/{id} */
export async function readEvent(
  { reads, clock }: Deps,
  { caller, params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const row = await findEvent(reads, params.id);
  if (row?.organizationId !== caller.organizationId || row.createdAt < keptSince(clock.now())) {
    throw new Refusal('EVENT_NOT_FOUND');
  }
  return ok(showEvent(row));
}
