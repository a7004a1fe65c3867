import { disburse } from '@cobro/domain/fees.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { type CapturedHold, recordDisbursement } from './payment.store.ts';

/**
 * Computes the disbursement of a captured hold. Both the placing and the capture call this, because amount and rates are known
 * only after the later of the two.
 */
export function disburseCapture(tx: Tx, paymentId: string, hold: CapturedHold): void {
  const { capturedAmount, rates } = hold;
  if (capturedAmount === null || rates === null) return;
  recordDisbursement(tx, paymentId, disburse(capturedAmount, rates));
}
