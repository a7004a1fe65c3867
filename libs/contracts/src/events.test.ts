import { describe, expect, test } from '@jest/globals';
import { dataOf, eventData, newEvent, parseEnvelope } from './events.ts';
import { newId } from './ids.ts';

const at = new Date('2026-05-05T12:00:00.123Z');
const [paymentId, organizationId] = [newId(), newId()];
const said = { bankReference: 'ref_1', authCode: null, resultCode: '00', rawResponseText: 'APROBADA' };
const transaction = { ...said, authResult: 'APPROVED' as const, createdAt: at };
const data = {
  paymentId,
  organizationId,
  paymentIntentId: null,
  amount: 99_999_999_999n,
  refundedAt: at,
  reason: null,
  transaction,
  payment: null,
};
const refunded = newEvent('PaymentRefunded', { subject: paymentId, sequence: 3, time: at, data });

describe('an event', () => {
  test('is a CloudEvents envelope, the same after a trip through JSON', () => {
    const arrived = parseEnvelope(JSON.parse(JSON.stringify(refunded)));
    expect(arrived).toEqual({
      specversion: '1.0',
      id: refunded.id,
      source: '/payments',
      type: 'PaymentRefunded',
      subject: paymentId,
      organizationid: organizationId,
      time: '2026-05-05T12:00:00.123Z',
      datacontenttype: 'application/json',
      dataversion: 1,
      sequence: '3',
      data: expect.objectContaining({ amount: 99_999_999_999, refundedAt: '2026-05-05T12:00:00.123Z' }),
    });
    expect(dataOf('PaymentRefunded', arrived)).toEqual(data);
  });

  test('has its id as Postgres writes it, whoever wrote it', () => {
    expect(parseEnvelope({ ...refunded, id: refunded.id.toUpperCase() }).id).toBe(refunded.id);
  });

  test('is refused where it is none, and where its data has another type or shape', () => {
    for (const bad of [
      { id: 'x' },
      { specversion: '0.3' },
      { sequence: '1.5' },
      { time: 'now' },
      { subject: undefined },
    ]) {
      expect(() => parseEnvelope({ ...refunded, ...bad })).toThrow(Object.keys(bad)[0]);
    }
    expect(() => dataOf('HoldPlaced', refunded)).toThrow('expected HoldPlaced, got PaymentRefunded');
    const wrong = { ...refunded, data: { ...(refunded.data as object), amount: '1.00' } };
    expect(() => dataOf('PaymentRefunded', wrong)).toThrow('amount');
    expect(() =>
      newEvent('PaymentRefunded', { subject: 'x', sequence: 1, time: at, data: { ...data, amount: -1n } }),
    ).toThrow('amount');
  });

  test('of an unknown type is an envelope, for a consumer that is older than its producer', () => {
    const newer = { ...refunded, type: 'PaymentForgiven', data: { x: 1 }, dataversion: 2 };
    expect(parseEnvelope(newer)).toEqual(newer);
    const grown = { ...refunded, data: { ...(refunded.data as object), forgivenBy: 'somebody' } };
    expect(dataOf('PaymentRefunded', grown)).toEqual(data);
  });

  test('of before there were intents says that it is of none', () => {
    const older = { ...(refunded.data as Record<string, unknown>) };
    delete older['paymentIntentId'];
    expect(dataOf('PaymentRefunded', { ...refunded, data: older })).toEqual(data);
  });

  test('has one producer, and its data has no card number', () => {
    for (const [type, { source, version, data: shape }] of Object.entries(eventData)) {
      expect([type, source]).toEqual([type, expect.stringMatching(/^\/(gateway|payments|holds|intents)$/)]);
      expect(version).toBeGreaterThanOrEqual(1);
      expect(JSON.stringify(Object.keys(shape.shape))).not.toMatch(/(?<!serial|period)number|cvc|token/i);
    }
  });
});
