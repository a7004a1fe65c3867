import { Refusal } from '@cobro/contracts/refusals.ts';
import type { z } from 'zod';
import { approve, decline, identify, referencePrefix, tokenOf } from './execute-operation.ts';
import type { Ledger } from './ledger.store.ts';
import type { history, OperationRequest } from './requests.ts';

type Entry = z.output<typeof history>[number];

/**
 * Writes operations that never came as requests into the books, for the seeder: outcome, reference and time are given, and nothing is
 * judged. Existing entries stay as they are, so that a repeated request changes nothing.
 */
export function recordHistory(ledger: Ledger, entries: Entry[]): { recorded: number } {
  return ledger.inTransaction(() => {
    const added = entries.filter(({ idempotencyKey }) => ledger.operation(idempotencyKey) === undefined);
    for (const entry of added) record(ledger, entry);
    return { recorded: added.length };
  });
}

function record(ledger: Ledger, entry: Entry): void {
  const { idempotencyKey, reference, time, authCode, declineCode } = entry;
  const request = requestOf(ledger, entry);
  if (!reference.startsWith(`${referencePrefix[request.kind]}_`)) {
    throw new Refusal('VALIDATION_ERROR', { message: `${reference} is no reference of a ${request.kind}` });
  }
  const answered =
    declineCode === undefined
      ? { ...approve(ledger, idempotencyKey, request, reference, time), authCode }
      : decline(declineCode, reference, time);
  const answer = JSON.stringify(answered);
  ledger.addOperation({
    ...identify(ledger, request),
    idempotencyKey,
    outcome: answered.outcome,
    reference,
    answer,
    createdAt: time,
  });
}

/** The card is named by the key with which it was saved, because only the bank knows its token. */
function requestOf(ledger: Ledger, entry: Entry): OperationRequest {
  switch (entry.kind) {
    case 'authorize':
      return { kind: 'authorize', token: tokenOf(ledger, entry.savedBy), amount: entry.amount };
    case 'sale':
      return {
        kind: 'sale',
        token: tokenOf(ledger, entry.savedBy),
        amount: entry.amount,
        terms: entry.terms,
      };
    case 'capture':
      return { kind: 'capture', authorization: entry.authorization, amount: entry.amount };
    case 'void':
      return { kind: 'void', authorization: entry.authorization };
    case 'refund':
      return { kind: 'refund', original: entry.original, amount: entry.amount };
  }
}
