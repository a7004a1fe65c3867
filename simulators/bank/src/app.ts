import { validate } from '@cobro/contracts/validation.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import type { OperationKind } from './bank.rules.ts';
import { faultSettings } from './faults.ts';
import { inquire } from './inquire-operation.ts';
import type { Asked, Reply, Routes } from './listener.ts';
import { operate, type OperateDeps } from './operate.ts';
import { recordHistory } from './record-history.ts';
import { listOperations, reportSettlements } from './list-operations.ts';
import { history, idempotencyHeader, inquiry, operationRequest, page, reportPage } from './requests.ts';

/** Every route of the bank. The clock's route exists only where the stack tool moves the clock. */
export function createRoutes(deps: OperateDeps, moveClock: Clock['move']): Routes {
  const { ledger, faults } = deps;
  const operation = (kind: OperationKind) => (asked: Asked) => {
    const { 'idempotency-key': key } = validate(idempotencyHeader, { 'idempotency-key': asked.idempotencyKey });
    return operate(deps, key, validate(operationRequest[kind], asked.body));
  };
  return {
    'POST /tokens': operation('tokenize'),
    'POST /authorizations': operation('authorize'),
    'POST /sales': operation('sale'),
    'POST /captures': operation('capture'),
    'POST /voids': operation('void'),
    'POST /refunds': operation('refund'),
    'POST /inquiries': ({ body }) => inquire(deps, validate(inquiry, body)),
    'GET /operations': ({ query }) => ok(listOperations(ledger, validate(page, query))),
    'GET /settlement-report': ({ query }) => ok(reportSettlements(deps, validate(reportPage, query))),
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

function ok(body: unknown): Reply {
  return { status: 200, body };
}
