import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { fieldsOf, type FieldValues, shapesInEvents, shownIn, unset } from './payment-fields.ts';

const payment: FieldValues = {
  ...unset,
  type: 'CARD_PRESENT',
  source: 'PAYMENT_INTENT',
  amount: 100n,
  currency: 'MXN',
  createdAt: new Date('2026-11-20T15:00:00.000Z'),
  operationCode: 100_001n,
  terms: 3,
  installments: 'MONTHLY',
  acquirer: 'default',
  card: { lastFourDigits: '4242', network: 'VISA', fundingSource: 'CREDIT', issuingBank: 'BBVA', entryMode: 'CHIP' },
};

describe('the fields of a payment', () => {
  const events = z.object(shapesInEvents);

  test('travel in events and come back as they were', () => {
    expect(events.parse(JSON.parse(JSON.stringify(z.encode(events, payment))))).toEqual(payment);
  });

  test('are null where an event is older than they are, and may then be null; any other has to be there', () => {
    const sent = z.encode(events, payment);
    expect(events.parse({ ...sent, externalId: undefined, branchId: undefined })).toEqual(payment);
    expect(events.parse({ ...sent, installments: undefined, acquirer: undefined })).toEqual(payment);
    expect(events.safeParse({ ...sent, terms: undefined }).success).toBe(false);
    expect(events.safeParse({ ...sent, rates: undefined }).success).toBe(false);
  });

  test('are shown by an answer if the table says so, and null if the copy is older than the field', () => {
    expect(shownIn('merchant', { currency: 'MXN' } as FieldValues)).toMatchObject({
      currency: 'MXN',
      externalId: null,
    });
    const paid = { ...payment, externalId: 'order-1' };
    const shown = shownIn('partner', paid);
    expect(shown).toMatchObject({ type: 'CARD_PRESENT', currency: 'MXN', terms: 3 });
    expect(shown).not.toHaveProperty('externalId');
  });

  test('are taken from a row without what else is in it', () => {
    const row = { ...payment, attemptDigest: 'x', id: 'p-1' };
    expect(fieldsOf(row)).toEqual(payment);
  });
});
