import { declineCodes } from '@cobro/contracts/acquirer/answers.ts';
import { counter } from '@cobro/metrics/instruments.ts';
import type { Operation, OperationStatus } from './journal.store.ts';

/** A bank may send any text, and each would make another series that is kept for ever. So unknown codes count as `other`. */
const reasonOf = (declineCode: string): string => (Object.hasOwn(declineCodes, declineCode) ? declineCode : 'other');

interface HowItEnded {
  outcome: Exclude<OperationStatus, 'open'>;
  declineCode?: string;
}

/** Counts settled operations, after the commit. If the process crashes in between, the operation is not counted. */
export function countSettled(): (operation: Operation, ending: HowItEnded) => void {
  const count = counter('cobro.operations.settled');
  return ({ acquirer, purpose }, { outcome, declineCode }) => {
    const reason = declineCode === undefined ? 'none' : reasonOf(declineCode);
    count({ acquirer, purpose, outcome, reason });
  };
}
