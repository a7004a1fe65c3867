import { disburse } from '@cobro/domain/fees.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { type CaptureTerms, recordDisbursement } from './payment.store.ts';

/** Called by whichever of placing and capture comes second: only then are both amount and rates known. */
export function disburseCapture(tx: Tx, paymentId: string, terms: CaptureTerms): void {
  const { capturedAmount, rates } = terms;
  if (capturedAmount === null || rates === null) return;
  recordDisbursement(tx, paymentId, disburse(capturedAmount, rates));
}
