import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { askForHoldEndings as contract } from '@cobro/contracts/routes/internal.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';
import { endingEvent } from './hold-events.ts';
import { findHoldsOf } from './hold.store.ts';
import { hasMissed } from './missed-hand-over.store.ts';

/** GET /internal/hold-endings: payments asks this before it shows holds as HELD. */
export async function answerHoldEndings(
  deps: Deps,
  { query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const [rows, someMissed] = await Promise.all([findHoldsOf(deps.db, query.id ?? []), hasMissed(deps.db)]);
  return ok({ events: rows.map(endingEvent).filter((event) => event !== null), someMissed });
}
