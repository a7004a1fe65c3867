import { type Answer, ok } from '@cobro/service-kit/handle.ts';
import type { Deps } from './deps.ts';
import { endingEvent } from './hold-events.ts';
import { findHold } from './hold.store.ts';

/** GET /internal/holds/{id}: payments asks before it refuses a refund because its copy says HELD. `event` is null while it is. */
export async function tellHoldEnding(deps: Deps, { params }: { params: { id: string } }): Promise<Answer> {
  const row = await findHold(deps.db, params.id);
  return ok({ event: row === undefined ? null : endingEvent(row) });
}
