import { kindOf } from '@cobro/bank/journal.ts';
import { centavos, type Difference, differences } from './difference.ts';
import type { LedgerEntry, OperationRecord } from './records.ts';

/** Compares what we wrote down of an operation with the bank's entry, if the bank has one. */
export function compareOperation(written: OperationRecord, entry: LedgerEntry | undefined): Difference[] {
  const { id, purpose, subjectId, amount, status, reference } = written;
  const about = `${purpose} ${id} of ${subjectId}`;
  if (status === 'open') return [{ what: 'state', id, sentence: `${about} is still open` }];
  const answered = status === 'approved' || status === 'declined';
  if (entry === undefined) {
    return answered ? [{ what: 'missing_there', id, sentence: `${about}: ${status}, but not in the ledger` }] : [];
  }
  if (!answered) {
    return [{ what: 'state', id, sentence: `${about}: ${status}, but the bank has it as ${entry.outcome}` }];
  }
  const mayHaveNone = purpose === 'save' || status === 'declined';
  return differences(id, about, [
    ['kind', 'kind', kindOf[purpose], entry.kind],
    ['state', 'outcome', status, entry.outcome],
    ['amount', 'amount', amount, centavos(entry.amount)],
    // The vault's answer has no reference, and a decline need not have one.
    ['reference', 'reference', reference ?? (mayHaveNone ? entry.reference : null), entry.reference],
  ]);
}

/** Something that the bank did although we had not written down that we would ask for it. */
export const unwritten = ({ idempotencyKey: id, kind }: LedgerEntry): Difference => ({
  what: 'missing_here',
  id,
  sentence: `the bank has a ${kind} ${id} that nobody wrote down`,
});
