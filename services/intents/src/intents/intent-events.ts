import type { DataOf, Envelope } from '@cobro/contracts/events.ts';
import { newEvent } from '@cobro/contracts/events.ts';
import type { PaymentIntentRow } from './payment-intent.row.ts';

const about = (row: PaymentIntentRow) => ({ subject: row.id, sequence: row.version, time: row.updatedAt });
const named = (row: PaymentIntentRow) => ({ paymentIntentId: row.id, organizationId: row.organizationId });
const ended = (row: PaymentIntentRow) => ({ ...named(row), intent: shownOf(row) });

function shownOf(row: PaymentIntentRow): DataOf<'IntentConfirmed'>['intent'] {
  const { amount, currency, externalId, redirectAppId, terminalId, createdAt, expiresAt } = row;
  const { paymentId: id, paymentStatus: status, operationCode } = row;
  const payment =
    id === null || status === null || operationCode === null
      ? null
      : { id, status, operationCode: Number(operationCode) };
  return { amount, currency, externalId, redirectAppId, terminalId, createdAt, expiresAt, payment };
}

export const intentConfirmed = (row: PaymentIntentRow): Envelope =>
  newEvent('IntentConfirmed', { ...about(row), data: { ...ended(row), confirmedAt: row.updatedAt } });

export function intentSuperseded(row: PaymentIntentRow): Envelope {
  const { terminalId, supersededBy } = row;
  if (terminalId === null || supersededBy === null) throw new Error('this intent was not superseded');
  const data = { ...ended(row), terminalId, supersededBy, supersededAt: row.updatedAt };
  return newEvent('IntentSuperseded', { ...about(row), data });
}

export const intentExpired = (row: PaymentIntentRow): Envelope =>
  newEvent('IntentExpired', { ...about(row), data: { ...ended(row), expiredAt: row.updatedAt } });

export function intentCancelled(
  row: PaymentIntentRow,
  { by, reason = null }: { by: DataOf<'IntentCancelled'>['cancelledBy']; reason?: string | null },
): Envelope {
  const data = { ...ended(row), cancelledBy: by, reason, cancelledAt: row.updatedAt };
  return newEvent('IntentCancelled', { ...about(row), data });
}

export function intentPaymentRequested(
  row: PaymentIntentRow,
  tap: Omit<DataOf<'IntentPaymentRequested'>, 'paymentIntentId' | 'organizationId' | 'amount' | 'currency'>,
): Envelope {
  const data = { ...named(row), amount: row.amount, currency: row.currency, ...tap };
  return newEvent('IntentPaymentRequested', { ...about(row), data });
}
