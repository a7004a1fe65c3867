import { capabilities } from './capabilities.ts';
import { decline, execute, identify, type ExecuteDeps } from './execute-operation.ts';
import { underFault, type Fault, type Faults } from './faults.ts';
import type { Reply } from './listener.ts';
import type { OperationRequest } from './requests.ts';

type Identity = ReturnType<typeof identify>;
export type OperateDeps = ExecuteDeps & {
  faults: Faults;
  /**
   * Operations that were accepted and not executed yet, by idempotency key. They are kept in memory, because an operation that is
   * lost before its execution never happened.
   */
  inProgress: Map<string, { identity: Identity; reply: Promise<Reply> }>;
};

/** Runs one money operation. Money moves once for one key, and the same key gets the same answer. */
export function operate(deps: OperateDeps, idempotencyKey: string, request: OperationRequest): Reply | Promise<Reply> {
  const { ledger, faults, inProgress } = deps;
  const identity = identify(ledger, request);
  const running = inProgress.get(idempotencyKey);
  if (running !== undefined) return isSame(running.identity, identity) ? running.reply : keyReused;
  const recorded = ledger.operation(idempotencyKey);
  if (recorded !== undefined) return isSame(recorded, identity) ? { status: 200, body: recorded.answer } : keyReused;
  const closed = ledger.closedKey(idempotencyKey);
  if (closed !== undefined) {
    return { status: 200, body: decline('key_closed', closed.reference, closed.closedAt) };
  }
  if (request.kind === 'sale' && !capabilities.terms.includes(request.terms)) {
    return closing(deps, idempotencyKey, refused(`terms: must be one of ${capabilities.terms.join(', ')}`));
  }

  // From here to the execution there is no wait, unless the fault is slow or held, so no duplicate can come in between.
  const fault = faults.draw(request.kind) ?? faultByNature(deps, request);
  if (fault === 'retry') return closing(deps, idempotencyKey, busy);
  const reply = underFault(fault, faults, () => ({
    status: 200,
    body: execute(deps, idempotencyKey, request, fault === 'decline'),
  }));
  if (fault !== 'slow' && fault !== 'held') return reply;
  const tracked = reply.finally(() => inProgress.delete(idempotencyKey));
  inProgress.set(idempotencyKey, { identity, reply: tracked });
  return tracked;
}

const keyReused: Reply = {
  status: 422,
  body: { error: 'key_reused', message: 'Idempotency-Key: was used before for a different request' },
};

const busy: Reply = { status: 503, body: { error: 'retry', message: 'the bank is busy; ask again under a new key' } };
const refused = (message: string): Reply => ({ status: 400, body: { error: 'refused', message } });

/** The reply to a request that is never carried out: its key is closed. */
function closing({ ledger, now }: OperateDeps, idempotencyKey: string, reply: Reply): Reply {
  ledger.closeKey(idempotencyKey, now());
  return reply;
}

function isSame(one: Identity, other: Identity): boolean {
  return (
    one.kind === other.kind && one.amount === other.amount && one.terms === other.terms && one.subject === other.subject
  );
}

function faultByNature({ ledger }: OperateDeps, request: OperationRequest): Fault | undefined {
  if (request.kind !== 'authorize' && request.kind !== 'sale') return undefined;
  const nature = ledger.card(request.token)?.nature;
  switch (nature) {
    case 'slow':
    case 'silentDone':
    case 'silentNotDone':
    case 'error':
      return nature;
    case 'approved':
    case 'declined':
    case 'insufficientFunds':
    case 'stolen':
    case 'captureDeclined':
    case 'refundDeclined':
    case 'shortWindow':
    case 'letGoEarly':
    case undefined:
      return undefined;
  }
}
