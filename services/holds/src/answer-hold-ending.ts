import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { askForHoldEnding as contract } from '@cobro/contracts/routes/internal.ts';
import { findOpenOperation } from '@cobro/bank/journal.store.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';
import { endingEvent } from './hold-events.ts';
import { findHold } from './hold.store.ts';

/**
 * GET /internal/holds/{id}: payments asks this before it refuses a refund because its copy of the hold says HELD. `event` says
 * how the hold ended, and is null while it has not; `operation` then names the operation that is open at the bank.
 */
export async function answerHoldEnding(
  deps: Deps,
  { params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  // The operation is read first, so that the row shows an operation that ends between the two reads.
  const open = await findOpenOperation(deps.db, params.id);
  const row = await findHold(deps.db, params.id);
  return ok({ event: row === undefined ? null : endingEvent(row), operation: open?.purpose ?? null });
}
