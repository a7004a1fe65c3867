import type { Outcome } from '@cobro/bank/journal.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { type Answer, ok } from '@cobro/service-kit/handle.ts';
import type { Deps } from './deps.ts';
import { showHold } from './hold.rules.ts';
import type { HoldRow } from './hold.rules.ts';
import { findHold } from './hold.store.ts';

/** The answer to a capture or release by how it went at the bank; the hold is shown as it is now. */
export async function answerOperation(
  deps: Deps,
  hold: HoldRow,
  outcome: Outcome,
  declined: 'CAPTURE_DECLINED' | 'RELEASE_DECLINED',
): Promise<Answer> {
  if (outcome.outcome === 'not_sent') throw new Refusal('BANK_UNAVAILABLE', { headers: { 'Retry-After': '1' } });
  const row = (await findHold(deps.db, hold.paymentId)) ?? hold;
  const body = showHold(row, deps.clock.now());
  if (outcome.outcome === 'unknown') {
    const Location = `/api/payment-method/${row.paymentMethodId}/payment/${row.paymentId}`;
    return { status: 202, body, headers: { 'Retry-After': '1', Location } };
  }
  // A void that the bank refused because the funds are free already has ended the hold as well.
  if (outcome.outcome === 'approved' || row.status !== 'HELD') return ok(body);
  const declineCode = outcome.outcome === 'declined' ? outcome.declineCode : 'not_processed';
  throw new Refusal(declined, { fields: { declineCode, paymentId: row.paymentId } });
}
