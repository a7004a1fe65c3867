/**
 * `missing_here`: only the bank, or only the service before us, has it. `missing_there`: only we have it. `unanswered`: the bank says
 * nothing about it. The last three are money that the bank moved without us, and that changes no payment yet.
 */
export type DifferenceKind =
  | 'missing_here'
  | 'missing_there'
  | 'unanswered'
  | 'amount'
  | 'state'
  | 'reference'
  | 'time'
  | 'kind'
  | 'acquirer'
  | 'refund_failed'
  | 'dispute'
  | 'adjustment';

/** Something that two books do not agree on. */
export interface Difference {
  what: DifferenceKind;
  /** What differs: an operation or payment, mostly. */
  id: string;
  sentence: string;
}

type Value = string | bigint | null | undefined;
export type Fact = readonly [what: DifferenceKind, field: string, ours: Value, right: Value];

/** One difference for each fact that we have wrong. */
export const differences = (id: string, about: string, facts: readonly Fact[]): Difference[] =>
  facts
    .filter(([, , ours, right]) => (ours ?? null) !== (right ?? null))
    .map(([what, field, ours, right]) => ({
      what,
      id,
      sentence: `${about}: ${field} is ${String(ours ?? null)}, not ${String(right ?? null)}`,
    }));

export const centavos = (amount: number | null | undefined) => (amount == null ? null : BigInt(amount));
export const iso = (date: Date | null) => date?.toISOString() ?? null;
