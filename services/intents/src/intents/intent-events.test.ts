import { newId } from '@cobro/contracts/ids.ts';
import { expect, test } from '@jest/globals';
import { endOfIntent } from './intent-events.ts';
import type { PaymentIntentRow } from './payment-intent.row.ts';

const id = newId();
const expiresAt = new Date('2026-11-20T15:15:00.000Z');
const cancelled = {
  id,
  organizationId: newId(),
  externalId: 'sale-31',
  terminalId: newId(),
  redirectAppId: null,
  amount: 18_950n,
  currency: 'MXN',
  status: 'CANCELLED',
  supersededBy: null,
  paymentId: null,
  paymentStatus: null,
  operationCode: null,
  cancelledBy: null,
  cancelReason: null,
  createdAt: new Date('2026-11-20T15:00:00.000Z'),
  updatedAt: new Date('2026-11-20T15:05:00.000Z'),
  expiresAt,
  version: 2,
} as PaymentIntentRow;

test('an open intent has not ended', () => {
  expect(endOfIntent({ ...cancelled, status: 'PENDING' })).toBeNull();
});

test.each<[string, Partial<PaymentIntentRow>, object]>([
  ['superseded', { supersededBy: newId(), updatedAt: expiresAt }, { type: 'IntentSuperseded' }],
  ['expired', { updatedAt: expiresAt }, { type: 'IntentExpired' }],
  [
    'cancelled when it had expired',
    { updatedAt: expiresAt, cancelledBy: 'TERMINAL', cancelReason: 'sin tarjeta' },
    { type: 'IntentCancelled', data: { cancelledBy: 'TERMINAL', reason: 'sin tarjeta' } },
  ],
  ['cancelled by release 0.1', {}, { type: 'IntentCancelled', data: { cancelledBy: null, reason: null } }],
  [
    'paid, and refunded since',
    { status: 'CONFIRMED', paymentId: newId(), paymentStatus: 'REFUNDED', operationCode: 7n },
    { type: 'IntentConfirmed', data: { intent: { payment: { status: 'CONFIRMED', operationCode: 7 } } } },
  ],
])('an intent that is %s', (_what, changes, event) => {
  expect(endOfIntent({ ...cancelled, ...changes })).toMatchObject({ subject: id, sequence: '2', ...event });
});
