import { counter } from '@cobro/metrics/instruments.ts';
import type { Operation, OperationStatus } from './journal.store.ts';

/**
 * The codes by which a bank declines. A bank may send any text, and each text would be a series of its own that is kept for ever, so
 * any other code counts as `other`.
 */
const REASONS = new Set([
  'do_not_honor',
  'insufficient_funds',
  'expired_card',
  'invalid_number',
  'unsupported_network',
  'token_spent',
  'unknown_token',
  'unknown_reference',
  'amount_exceeds_authorization',
  'amount_exceeds_captured',
  'not_captured',
  'already_captured',
  'already_voided',
  'already_expired',
  'expired',
]);

interface HowItEnded {
  outcome: Exclude<OperationStatus, 'open'>;
  declineCode?: string;
}

/** Counts operations that have been settled, after the commit. One that a crash settles in between is not counted. */
export function countSettled(): (operation: Operation, ending: HowItEnded) => void {
  const count = counter('cobro.operations.settled');
  return ({ acquirer, purpose }, { outcome, declineCode }) => {
    const reason = declineCode === undefined ? 'none' : REASONS.has(declineCode) ? declineCode : 'other';
    count({ acquirer, purpose, outcome, reason });
  };
}
