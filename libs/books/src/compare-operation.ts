import { kindOf } from '@cobro/bank/journal.ts';
import { centavos, type Difference, differences } from './difference.ts';
import type { LedgerEntry, Movement, OperationRecord } from './records.ts';

/** Compares what we wrote down of an operation with the bank's entry, if the bank has one. */
export function compareOperation(written: OperationRecord, entry: LedgerEntry | undefined): Difference[] {
  const { id, purpose, amount, status } = written;
  const about = named(written);
  if (status === 'open') return [{ what: 'state', id, sentence: `${about} is still open` }];
  if (entry === undefined) {
    return isAnswered(written)
      ? [{ what: 'missing_there', id, sentence: `${about}: ${status}, but not in the ledger` }]
      : [];
  }
  if (!isAnswered(written)) {
    return [{ what: 'state', id, sentence: `${about}: ${status}, but the bank has it as ${entry.outcome}` }];
  }
  return [
    ...differences(id, about, [
      ['kind', 'kind', kindOf[purpose], entry.kind],
      ['amount', 'amount', amount, centavos(entry.amount)],
    ]),
    ...compareAnswer(written, entry),
  ];
}

/** Compares the answer that we wrote down with the one that the bank has on record. */
export function compareAnswer(
  written: OperationRecord,
  { outcome, reference }: Pick<LedgerEntry, 'outcome' | 'reference'>,
): Difference[] {
  const { id, purpose, status } = written;
  const mayHaveNone = purpose === 'save' || status === 'declined';
  return differences(id, named(written), [
    ['state', 'outcome', status, outcome],
    // The vault's answer has no reference, and a decline need not have one.
    ['reference', 'reference', written.reference ?? (mayHaveNone ? reference : null), reference],
  ]);
}

/** The reported movement as the ledger entry of the operation that we wrote down. */
export function entryOf(movement: Movement, { purpose }: Pick<OperationRecord, 'purpose'>): LedgerEntry {
  const kind = kindOf[purpose];
  return {
    idempotencyKey: movement.id,
    kind: movement.kind === movementOf(kind) ? kind : movement.kind,
    amount: Math.abs(movement.gross),
    outcome: 'approved',
    reference: movement.reference,
    createdAt: movement.time,
  };
}

/** An approved operation's kind in the settlement report. Returns undefined if it moves no money. */
export function movementOf(kind: string): Movement['kind'] | undefined {
  if (kind === 'sale' || kind === 'capture') return 'charge';
  return kind === 'refund' ? 'refund' : undefined;
}

/** Whether an operation of ours has moved this money. */
export const isOurs = ({ kind }: Movement): boolean => kind === 'charge' || kind === 'refund';

/** The bank does not answer whether it has the operation. */
export const unanswered = (written: OperationRecord): Difference => ({
  what: 'unanswered',
  id: written.id,
  sentence: `${named(written)}: ${written.status}, and the bank says nothing about it`,
});

/** The bank did something that we had not written down beforehand. */
export const unwritten = (id: string, kind: string): Difference => ({
  what: 'missing_here',
  id,
  sentence: `the bank has a ${kind} ${id} that nobody wrote down`,
});

/** Money that moved and is not written down here: the bank did it unasked, or moves such money by itself. */
export function movedAlone({ id, kind, about, gross }: Movement): Difference {
  if (kind === 'charge' || kind === 'refund') return unwritten(id, kind);
  const of = about === null ? '' : ` about ${about}`;
  return { what: kind, id, sentence: `the bank reports ${nouns[kind]} ${id}${of}: ${gross} centavos` };
}

const nouns = { refund_failed: 'a failed refund', dispute: 'a dispute', adjustment: 'an adjustment' };

const named = ({ id, purpose, subjectId }: OperationRecord) => `${purpose} ${id} of ${subjectId}`;

export const isAnswered = ({ status }: OperationRecord) => status === 'approved' || status === 'declined';
