import { describe, expect, test } from '@jest/globals';
import {
  type Authorization,
  captureBefore,
  declines,
  judgeCapture,
  judgeCharge,
  judgeRefund,
  judgeTokenize,
  judgeVoid,
} from './bank.rules.ts';
import type { Nature } from './card.rules.ts';

const now = new Date('2026-03-10T18:00:00Z');
const open: Authorization = { state: 'open', amount: 10_000n, authorizedAt: now, nature: 'approved' };
const card = (nature: Nature) => ({ nature, expiry: { month: 12, year: 2030 }, singleUse: false, spent: false });

describe('a card to be saved', () => {
  const expiry = { month: 3, year: 2026 };
  test('is taken in its last month', () => expect(judgeTokenize('4242424242424242', expiry, now)).toBeUndefined());
  test.each([
    ['a wrong check digit', '4242424242424241', expiry, 'invalid_number'],
    ['a network of others', '6011000990139424', expiry, 'unsupported_network'],
    ['a month that has passed', '4242424242424242', { month: 2, year: 2026 }, 'expired_card'],
  ])('is declined for %s', (_, number, until, code) => expect(judgeTokenize(number, until, now)).toBe(code));
});

describe('an authorization or sale', () => {
  test.each<[Nature, string | undefined]>([
    ['approved', undefined],
    ['declined', 'do_not_honor'],
    ['insufficientFunds', 'insufficient_funds'],
    ['stolen', 'stolen_card'],
    ['captureDeclined', undefined],
    ['refundDeclined', undefined],
    ['slow', undefined],
    ['silentDone', undefined],
  ])('of a card that is %s is judged %s', (nature, code) => expect(judgeCharge(card(nature), now)).toBe(code));
  test('of a card that was present is for once', () => {
    expect(judgeCharge({ ...card('approved'), singleUse: true }, now)).toBeUndefined();
    expect(judgeCharge({ ...card('approved'), singleUse: true, spent: true }, now)).toBe('token_spent');
  });
  test('of a token that the vault does not know is declined', () =>
    expect(judgeCharge(undefined, now)).toBe('unknown_token'));
  test('of a card whose month has passed in Mexico City is declined', () => {
    const endOfDecember = { ...card('approved'), expiry: { month: 12, year: 2025 } };
    expect(judgeCharge(endOfDecember, new Date('2026-01-01T05:59:59Z'))).toBeUndefined();
    expect(judgeCharge(endOfDecember, new Date('2026-01-01T06:00:00Z'))).toBe('expired_card');
  });
});

describe('a capture', () => {
  test.each([1n, 9_999n, 10_000n])('of %s of 10000 centavos is approved', (amount) =>
    expect(judgeCapture(open, amount, now)).toBeUndefined(),
  );
  test.each<[string, Authorization | undefined, string]>([
    ['an unknown authorization', undefined, 'unknown_reference'],
    ['what was captured', { ...open, state: 'captured' }, 'already_captured'],
    ['what was voided', { ...open, state: 'voided' }, 'already_voided'],
    ['a card that declines captures', { ...open, nature: 'captureDeclined' }, 'do_not_honor'],
  ])('of %s is declined', (_, authorization, code) => expect(judgeCapture(authorization, 1n, now)).toBe(code));
  test('of a centavo too much is declined', () =>
    expect(judgeCapture(open, 10_001n, now)).toBe('amount_exceeds_authorization'));
});

describe('an authorization of a card whose network lets go early', () => {
  const placed = new Date('2026-11-20T18:00:00.000Z');
  const [last, over] = [new Date('2026-11-25T11:59:59.999Z'), new Date('2026-11-25T12:00:00.000Z')];
  test.each([
    ['shortWindow', over.toISOString()],
    ['letGoEarly', null],
  ] as const)('%s ends after 4 days and 18 hours, and says %s', (nature, said) => {
    const authorization = { ...open, authorizedAt: placed, nature };
    expect(captureBefore(placed, nature)).toBe(said);
    expect([judgeCapture(authorization, 1n, last), judgeVoid(authorization, last)]).toEqual([undefined, undefined]);
    expect([judgeCapture(authorization, 1n, over), judgeVoid(authorization, over)]).toEqual([
      'expired',
      'already_expired',
    ]);
  });
});

describe('a void', () => {
  test('of an open authorization is approved, whatever the card', () =>
    expect(judgeVoid({ ...open, nature: 'captureDeclined' }, now)).toBeUndefined());
  test.each<[string, Authorization | undefined, string]>([
    ['an unknown authorization', undefined, 'unknown_reference'],
    ['what was captured', { ...open, state: 'captured' }, 'already_captured'],
    ['what was voided', { ...open, state: 'voided' }, 'already_voided'],
  ])('of %s is declined', (_, authorization, code) => expect(judgeVoid(authorization, now)).toBe(code));
});

describe('the seventh natural day', () => {
  test.each([
    ['placed in the first minute of day 1', '2026-03-10T06:00:00Z', '2026-03-17T05:30:00Z'],
    ['placed in the last minute of day 1', '2026-03-11T05:59:59Z', '2026-03-17T05:30:00Z'],
    ['over a leap day', '2028-02-25T18:00:00Z', '2028-03-03T05:30:00Z'],
    ['over the year end', '2025-12-28T18:00:00Z', '2026-01-04T05:30:00Z'],
    ['into summer time, as it was in 2022', '2022-03-30T18:00:00Z', '2022-04-06T04:30:00Z'],
  ])('closes at 23:30 in Mexico City: %s', (_, authorizedAt, closes) => {
    const authorization = { ...open, authorizedAt: new Date(authorizedAt) };
    const lastMoment = new Date(new Date(closes).getTime() - 1);
    expect(judgeCapture(authorization, 1n, lastMoment)).toBeUndefined();
    expect(judgeVoid(authorization, lastMoment)).toBeUndefined();
    expect(judgeCapture(authorization, 1n, new Date(closes))).toBe('expired');
    expect(judgeVoid(authorization, new Date(closes))).toBe('already_expired');
  });
  test('does not hide that the money was captured or freed before', () => {
    const later = new Date('2026-04-10T18:00:00Z');
    expect(judgeVoid({ ...open, state: 'captured' }, later)).toBe('already_captured');
    expect(judgeVoid({ ...open, state: 'voided' }, later)).toBe('already_voided');
  });
});

describe('a refund', () => {
  const taken = { amount: 5_000n, refunded: 2_000n, nature: 'approved' as const };
  test('up to what is left is approved', () => expect(judgeRefund(taken, undefined, 3_000n)).toBeUndefined());
  test.each([
    ['above what is left', taken, undefined, 'amount_exceeds_captured'],
    ['of an authorization that nothing was captured of', undefined, open, 'not_captured'],
    ['of nothing known', undefined, undefined, 'unknown_reference'],
    [
      'of a card that declines refunds',
      { ...taken, refunded: 0n, nature: 'refundDeclined' as const },
      undefined,
      'do_not_honor',
    ],
  ])('%s is declined', (_, original, authorization, code) =>
    expect(judgeRefund(original, authorization, 3_001n)).toBe(code),
  );
});

test.each([
  ['do_not_honor', '05', 'DECLINADA'],
  ['insufficient_funds', '51', 'FONDOS INSUFICIENTES'],
  ['expired_card', '54', 'TARJETA VENCIDA'],
  ['invalid_number', '14', 'TARJETA INVALIDA'],
  ['unsupported_network', '15', 'EMISOR NO SOPORTADO'],
  ['token_spent', '14', 'TARJETA INVALIDA'],
  ['unknown_token', '14', 'TARJETA INVALIDA'],
  ['unknown_reference', '25', 'OPERACION NO ENCONTRADA'],
  ['amount_exceeds_authorization', '61', 'MONTO EXCEDIDO'],
  ['amount_exceeds_captured', '61', 'MONTO EXCEDIDO'],
  ['not_captured', '12', 'TRANSACCION INVALIDA'],
  ['already_captured', '12', 'TRANSACCION INVALIDA'],
  ['already_voided', '12', 'TRANSACCION INVALIDA'],
  ['already_expired', '12', 'AUTORIZACION VENCIDA'],
  ['expired', '12', 'AUTORIZACION VENCIDA'],
  ['key_closed', '94', 'TRANSACCION CERRADA'],
] as const)('declined as %s it answers %s, and a receipt shows "%s"', (code, resultCode, text) => {
  expect(declines[code]).toEqual({ resultCode, text });
});
