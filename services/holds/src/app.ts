import { askForHoldEnding, handOverEvent } from '@cobro/contracts/routes/internal.ts';
import * as contracts from '@cobro/contracts/routes/saved-card-payments.ts';
import { receiveEvent } from '@cobro/events/inbox.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { route, type ServedRoute } from '@cobro/service-kit/serve-route.ts';
import { captureHold } from './capture-hold.ts';
import type { Deps } from './deps.ts';
import { handlers } from './hold-question.ts';
import { releaseHold } from './release-hold.ts';
import { tellHoldEnding } from './tell-hold-ending.ts';

/** Every route of holds. Its subscription is HoldPlaced; its jobs are the sweep of expired holds and the journal's recovery. */
export const routes: readonly ServedRoute<Deps>[] = [
  route(contracts.captureHold, captureHold),
  route(contracts.releaseHold, releaseHold),
  route(askForHoldEnding, tellHoldEnding),
  route(handOverEvent, async ({ db }: Deps, { readBody }) =>
    ok({ result: await receiveEvent(db, handlers, readBody()) }),
  ),
];
