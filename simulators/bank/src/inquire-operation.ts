import { underFault } from './faults.ts';
import type { Reply } from './listener.ts';
import type { OperateDeps } from './operate.ts';

/**
 * What became of the operation with this key. `close` makes not_found final: a later operation with that key is declined. A key
 * that is in progress or on record cannot be closed.
 */
export function inquire(deps: OperateDeps, asked: { idempotencyKey: string; close: boolean }): Promise<Reply> {
  const { faults } = deps;
  return underFault(faults.draw('inquire'), faults, () => ({ status: 200, body: find(deps, asked) }));
}

function find({ ledger, inProgress, now }: OperateDeps, asked: { idempotencyKey: string; close: boolean }): unknown {
  const { idempotencyKey, close } = asked;
  if (inProgress.has(idempotencyKey)) return { outcome: 'in_progress' };
  const recorded = ledger.operation(idempotencyKey);
  if (recorded !== undefined) return recorded.answer;
  const alreadyClosed = ledger.closedKey(idempotencyKey) !== undefined;
  if (close && !alreadyClosed) ledger.closeKey(idempotencyKey, now());
  return { outcome: 'not_found', closed: close || alreadyClosed };
}
