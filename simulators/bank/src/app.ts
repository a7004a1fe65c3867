import { timingSafeEqual } from 'node:crypto';
import { inquiryRequest, type OperationKind, operationKinds } from '@cobro/contracts/acquirer/operation-requests.ts';
import { acquirerRoutes } from '@cobro/contracts/acquirer/routes.ts';
import { settlementReportQuery } from '@cobro/contracts/acquirer/settlement-report.ts';
import { validate } from '@cobro/contracts/validation.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import { capabilities } from './capabilities.ts';
import { disputeOperation } from './dispute-operation.ts';
import { faultSettings } from './faults.ts';
import { inquire } from './inquire-operation.ts';
import { asVersion1, pathsBefore } from './before-version-1.ts';
import type { Asked, Reply, Route, Routes } from './listener.ts';
import { operate, type OperateDeps } from './operate.ts';
import { recordHistory } from './record-history.ts';
import { listOperations, reportSettlements } from './list-operations.ts';
import { dispute, history, idempotencyHeader, operationRequest, page } from './requests.ts';

/** Every route of the bank. The clock's route exists only if the stack tool moves the clock. */
export function createRoutes(
  deps: OperateDeps,
  moveClock: Clock['move'],
  acceptedTokens: string[] | undefined,
): Routes {
  const { ledger, faults } = deps;
  return {
    ...guarded(acceptedTokens, protocolRoutes(deps)),
    ...routesBefore(deps),
    'GET /operations': ({ query }) => ok(listOperations(ledger, validate(page, query))),
    'POST /disputes': ({ body }) => ok(disputeOperation(deps, validate(dispute, body))),
    'POST /history': ({ body }) => ok(recordHistory(ledger, validate(history, body))),

    'GET /faults': () => ok(faults.settings()),
    'PUT /faults': ({ body }) => {
      faults.set(validate(faultSettings, body));
      return ok(faults.settings());
    },
    'DELETE /faults': () => {
      faults.set(faultSettings.parse({}));
      return ok(faults.settings());
    },

    'GET /health/live': () => ok({}),
    'GET /health/ready': () => ok({ ready: true }),
    ...(moveClock && {
      'PUT /internal/clock': ({ body }: Asked) => {
        moveClock(body);
        return ok({});
      },
    }),
  };
}

/** The acquirer protocol (docs/acquirers/protocol.md). */
function protocolRoutes(deps: OperateDeps): Routes {
  const named = (name: keyof typeof acquirerRoutes) => `${acquirerRoutes[name].method} ${acquirerRoutes[name].path}`;
  return {
    ...Object.fromEntries(operationKinds.map((kind) => [named(kind), operation(deps, kind)])),
    [named('inquire')]: ({ body }) => inquire(deps, validate(inquiryRequest, body)),
    [named('capabilities')]: () => ok(capabilities),
    [named('settlementReport')]: ({ query }) => ok(reportSettlements(deps, validate(settlementReportQuery, query))),
  };
}

const operation =
  (deps: OperateDeps, kind: OperationKind): Route =>
  ({ idempotencyKey, body }) => {
    const { 'idempotency-key': key } = validate(idempotencyHeader, { 'idempotency-key': idempotencyKey });
    return operate(deps, key, validate(operationRequest[kind], body));
  };

function routesBefore(deps: OperateDeps): Routes {
  const operations = operationKinds.map((kind): [string, Route] => {
    const route = operation(deps, kind);
    return [`POST ${pathsBefore(kind)}`, (asked) => route({ ...asked, body: asVersion1(kind, asked.body) })];
  });
  return {
    ...Object.fromEntries(operations),
    'POST /inquiries': ({ body }) => inquire(deps, validate(inquiryRequest, body)),
  };
}

function guarded(acceptedTokens: string[] | undefined, routes: Routes): Routes {
  if (acceptedTokens === undefined) return routes;
  const expected = acceptedTokens.map((token) => Buffer.from(`Bearer ${token}`));
  const isAccepted = (given: Buffer) =>
    expected.some((one) => one.length === given.length && timingSafeEqual(one, given));
  const guard =
    (route: Route): Route =>
    (asked) =>
      isAccepted(Buffer.from(asked.authorization ?? '')) ? route(asked) : unauthorized;
  return Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, guard(route)]));
}

const unauthorized: Reply = {
  status: 401,
  body: { error: 'unauthorized', message: 'a token that this bank knows is needed: Authorization: Bearer …' },
};

function ok(body: unknown): Reply {
  return { status: 200, body };
}
