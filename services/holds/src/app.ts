import { envelope } from '@cobro/contracts/events.ts';
import { validate } from '@cobro/contracts/validation.ts';
import { receiveEvent } from '@cobro/events/inbox.ts';
import { handle, ok } from '@cobro/service-kit/handle.ts';
import { idParams } from '@cobro/service-kit/http-app.ts';
import type { Express } from 'express';
import { captureHold } from './capture-hold.ts';
import type { Deps } from './deps.ts';
import { handlers } from './hold-question.ts';
import { releaseHold } from './release-hold.ts';
import { tellHoldEnding } from './tell-hold-ending.ts';

const ofPayment = { caller: 'merchant', params: idParams('id', 'paymentId') } as const;
const service = { caller: 'service' } as const;

/** Every route of holds. Its subscription is HoldPlaced; its jobs are the sweep of expired holds and the journal's recovery. */
export const routes = (deps: Deps) => (app: Express) => {
  const payment = '/payment-method/:id/payment/:paymentId';
  app.post(
    `${payment}/capture`,
    handle(ofPayment, (input) => captureHold(deps, input)),
  );
  app.post(
    `${payment}/release`,
    handle(ofPayment, (input) => releaseHold(deps, input)),
  );
  app.get(
    '/internal/holds/:id',
    handle({ ...service, params: idParams('id') }, (input) => tellHoldEnding(deps, input)),
  );
  app.post(
    '/internal/events',
    handle(service, async ({ body }) =>
      ok({ result: await receiveEvent(deps.db, handlers, validate(envelope, body)) }),
    ),
  );
};
