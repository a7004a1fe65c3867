import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { askForHoldEnding as contract } from '@cobro/contracts/routes/internal.ts';
import { findOpenOperation } from '@cobro/bank/journal.store.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';
import { endingEvent } from './hold-events.ts';
import { findHold } from './hold.store.ts';

/**
 * GET /internal/holds/{id}: payments asks before it refuses a refund because its copy says HELD. `event` is how the hold
 * ended, null while it has not; `operation` is what is open at the bank then.
 */
export async function tellHoldEnding(
  deps: Deps,
  { params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  // In this order: an operation that ends in between shows in the row.
  const open = await findOpenOperation(deps.db, params.id);
  const row = await findHold(deps.db, params.id);
  return ok({ event: row === undefined ? null : endingEvent(row), operation: open?.purpose ?? null });
}
