import {
  askForHoldEnding,
  askForHoldEndings,
  askForHoldOperations,
  askForUnansweredOfHolds,
} from '@cobro/contracts/routes/internal.ts';
import * as operations from '@cobro/contracts/routes/platform-operations.ts';
import * as contracts from '@cobro/contracts/routes/saved-card-payments.ts';
import { route, type ServedRoute } from '@cobro/service-kit/serve-route.ts';
import { captureHold } from './capture-hold.ts';
import type { Deps } from './deps.ts';
import { onHoldPlaced } from './on-hold-placed.ts';
import { listOpenHoldOperations } from './list-open-hold-operations.ts';
import { releaseHold } from './release-hold.ts';
import { answerHoldEnding } from './answer-hold-ending.ts';
import { answerHoldEndings } from './answer-hold-endings.ts';
import { answerHoldOperations } from './answer-hold-operations.ts';
import { answerUnanswered } from './answer-unanswered.ts';

/** The handler of the event that holds follows, whether the broker brings it or payments hands it over. */
export const handlers = () => ({ HoldPlaced: onHoldPlaced });

export const routes: readonly ServedRoute<Deps>[] = [
  route(contracts.captureHold, captureHold),
  route(contracts.releaseHold, releaseHold),
  route(operations.listOpenHoldOperations, listOpenHoldOperations),
  route(askForHoldEnding, answerHoldEnding),
  route(askForHoldEndings, answerHoldEndings),
  route(askForHoldOperations, answerHoldOperations),
  route(askForUnansweredOfHolds, answerUnanswered),
];
