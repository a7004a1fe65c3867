import { describe, expect, test } from '@jest/globals';
import { newFormId } from '../http/form-id.ts';
import { readPromotionForm, typedIn } from './promotion-form.rules.ts';

const now = new Date('2026-11-25T18:00:00.000Z');
const formId = newFormId(now);
const form = (over: Record<string, string | string[]> = {}) => {
  const fields = {
    formId,
    name: ' Buen Fin ',
    feeDiscount: '4.5 %',
    businessTake: '1.25',
    terms: ['18', '6'],
    types: 'CARD_NOT_PRESENT',
    networks: ['VISA', 'OTHER'],
    issuingBanks: 'BBVA, Banorte ,, BBVA',
    minimumAmount: '1,000.50',
    maxPayments: '1,000',
    startsAt: '2026-11-20T00:00',
    endsAt: '2026-11-30T23:59',
    externalId: '',
    ...over,
  };
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  );
};

describe('the form of a promotion', () => {
  test('is the same request whenever it is sent, under its own id', () => {
    const read = readPromotionForm(form(), now);
    expect(read).toEqual({
      kind: 'good',
      formId,
      isReferenceOwn: false,
      request: {
        name: 'Buen Fin',
        feeDiscount: 4.5,
        businessTake: 1.25,
        terms: [6, 18],
        types: ['CARD_NOT_PRESENT'],
        networks: ['VISA'],
        issuingBanks: ['BBVA', 'Banorte'],
        productIds: [],
        minimumAmount: 1000.5,
        maxPayments: 1000,
        startsAt: '2026-11-20T06:00:00.000Z',
        endsAt: '2026-12-01T05:59:00.000Z',
        externalId: formId,
      },
    });
    expect(readPromotionForm(form(), new Date('2026-11-26T02:00:00.000Z'))).toEqual(read);
  });

  test('asks for nothing that was left empty', () => {
    const empty = {
      feeDiscount: '',
      terms: [],
      issuingBanks: '',
      minimumAmount: '',
      maxPayments: '',
      externalId: 'b-1',
    };
    const read = readPromotionForm(form(empty), now);
    expect(read).toMatchObject({ isReferenceOwn: true, request: { feeDiscount: 0, terms: [], externalId: 'b-1' } });
    expect(read).not.toHaveProperty('request.minimumAmount');
    expect(read).not.toHaveProperty('request.maxPayments');
  });

  test.each<[Record<string, string>, string[]]>([
    [{ name: '' }, ['name']],
    [{ name: '4242 4242 4242 4242' }, ['name']],
    [{ feeDiscount: '20.01' }, ['feeDiscount']],
    [{ feeDiscount: '1.005' }, ['feeDiscount']],
    [{ businessTake: '-1' }, ['businessTake']],
    [{ businessTake: '50.5' }, ['businessTake']],
    [{ feeDiscount: '0', businessTake: '' }, ['nothing']],
    [{ issuingBanks: 'x'.repeat(256) }, ['issuingBanks']],
    [{ minimumAmount: '0' }, ['minimumAmount']],
    [{ maxPayments: '0' }, ['maxPayments']],
    [{ maxPayments: '1e3' }, ['maxPayments']],
    [{ maxPayments: '1000001' }, ['maxPayments']],
    [{ startsAt: '' }, ['startsAt']],
    [{ startsAt: '2026-12-31T00:00' }, ['endsAt']],
    [{ endsAt: '2026-11-25T12:00' }, ['endsAt']],
    [{ externalId: '4242424242424242' }, ['externalId']],
  ])('%j is wrong', (over, wrong) => {
    expect(readPromotionForm(form(over), now)).toEqual({ kind: 'wrong', wrong });
  });

  test('is not taken after half a day, and what looks like a card number is not shown again', () => {
    expect(readPromotionForm(form(), new Date('2026-11-26T06:00:01.000Z'))).toEqual({ kind: 'too-old' });
    expect(typedIn(form({ name: '4242 4242 4242 4242' }))).not.toHaveProperty('name');
  });
});
