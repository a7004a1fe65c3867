import { type Envelope, newEvent, readTransaction } from '@cobro/contracts/events.ts';
import type { HoldRow } from './hold.row.ts';

/**
 * The event that says how this hold ended, or null while it is HELD. It is built from the row alone, so that it can be published again
 * for a service that missed it.
 */
export function endingEvent(row: HoldRow): Envelope | null {
  const { paymentId, organizationId, version: sequence } = row;
  const about = { subject: paymentId, sequence };
  if (row.status === 'CAPTURED') {
    const { capturedAmount: amount, capturedAt, rates, bankTransaction } = row;
    if (amount === null || capturedAt === null || rates === null || bankTransaction === null) {
      throw new Error('a capture without facts');
    }
    const transaction = readTransaction(bankTransaction);
    const data = { paymentId, organizationId, amount, capturedAt, rates, transaction };
    return newEvent('HoldCaptured', { ...about, time: capturedAt, data });
  }
  const { releasedAt } = row;
  if (row.status === 'HELD' || releasedAt === null) return null;
  const type = row.status === 'RELEASED' ? 'HoldReleased' : 'HoldExpired';
  return newEvent(type, { ...about, time: releasedAt, data: { paymentId, organizationId, releasedAt } });
}
