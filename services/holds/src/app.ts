import { askForHoldEnding } from '@cobro/contracts/routes/internal.ts';
import * as contracts from '@cobro/contracts/routes/saved-card-payments.ts';
import { route, type ServedRoute } from '@cobro/service-kit/serve-route.ts';
import { captureHold } from './capture-hold.ts';
import type { Deps } from './deps.ts';
import { onHoldPlaced } from './on-hold-placed.ts';
import { releaseHold } from './release-hold.ts';
import { tellHoldEnding } from './tell-hold-ending.ts';

/** The event that holds follows, from the broker or handed over directly. */
export const handlers = { HoldPlaced: onHoldPlaced };

/** Every route of holds. */
export const routes: readonly ServedRoute<Deps>[] = [
  route(contracts.captureHold, captureHold),
  route(contracts.releaseHold, releaseHold),
  route(askForHoldEnding, tellHoldEnding),
];
