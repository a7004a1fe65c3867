import type { DataOf, Envelope } from '@cobro/contracts/events.ts';
import { newEvent } from '@cobro/contracts/events.ts';
import type { PaymentIntentRow } from './payment-intent.row.ts';
import { ownCopyOfPayment } from './payment-intent.rules.ts';

const about = (row: PaymentIntentRow) => ({ subject: row.id, sequence: row.version, time: row.updatedAt });
const named = (row: PaymentIntentRow) => ({ paymentIntentId: row.id, organizationId: row.organizationId });
const ended = (row: PaymentIntentRow) => ({ ...named(row), intent: shownOf(row) });

function shownOf(row: PaymentIntentRow): DataOf<'IntentConfirmed'>['intent'] {
  const { amount, currency, externalId, redirectAppId, terminalId, createdAt, expiresAt } = row;
  const payment = ownCopyOfPayment(row);
  return { amount, currency, externalId, redirectAppId, terminalId, createdAt, expiresAt, payment };
}

const intentConfirmed = (row: PaymentIntentRow): Envelope =>
  newEvent('IntentConfirmed', { ...about(row), data: { ...ended(row), confirmedAt: row.updatedAt } });

function intentSuperseded(row: PaymentIntentRow): Envelope {
  const { terminalId, supersededBy } = row;
  if (terminalId === null || supersededBy === null) throw new Error('this intent was not superseded');
  const data = { ...ended(row), terminalId, supersededBy, supersededAt: row.updatedAt };
  return newEvent('IntentSuperseded', { ...about(row), data });
}

const intentExpired = (row: PaymentIntentRow): Envelope =>
  newEvent('IntentExpired', { ...about(row), data: { ...ended(row), expiredAt: row.updatedAt } });

function intentCancelled(row: PaymentIntentRow): Envelope {
  const { cancelledBy, cancelReason: reason, updatedAt: cancelledAt } = row;
  return newEvent('IntentCancelled', { ...about(row), data: { ...ended(row), cancelledBy, reason, cancelledAt } });
}

/** The event that says how this intent ended; null if PENDING. Rows of release 0.1 do not say if anybody cancelled an expired one. */
export function endOfIntent(row: PaymentIntentRow): Envelope | null {
  const { status, supersededBy, cancelledBy, expiresAt, updatedAt } = row;
  if (status === 'PENDING') return null;
  // A refund comes later and has an event of its own.
  if (status === 'CONFIRMED') return intentConfirmed({ ...row, paymentStatus: 'CONFIRMED' });
  if (supersededBy !== null) return intentSuperseded(row);
  return cancelledBy === null && expiresAt <= updatedAt ? intentExpired(row) : intentCancelled(row);
}

export function intentPaymentRequested(
  row: PaymentIntentRow,
  tap: Omit<DataOf<'IntentPaymentRequested'>, 'paymentIntentId' | 'organizationId' | 'amount' | 'currency'>,
): Envelope {
  const data = { ...named(row), amount: row.amount, currency: row.currency, ...tap };
  return newEvent('IntentPaymentRequested', { ...about(row), data });
}
