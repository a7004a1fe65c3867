import { cardInput, payerInformation } from '@cobro/contracts/payment-methods.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { fieldNames } from './form-fields.ts';
import { type CheckoutSubmission, readCheckoutForm } from './read-checkout-form.ts';

const now = new Date('2026-11-21T18:00:00Z');
const filled = {
  token: 'token',
  lang: 'en',
  amount: '125050',
  number: '4242 4242 4242 4242',
  expiry: '08/29',
  cvc: '123',
  holderName: 'Ana Torres',
  terms: '3',
  email: 'ana@example.com',
  firstName: 'Ana',
  lastName: 'Torres',
};
const read = (over: Record<string, string> = {}, allowedTerms = [1, 3, 6]) =>
  readCheckoutForm(new URLSearchParams({ ...filled, ...over }), { allowedTerms, now });
const errorsOf = (over: Record<string, string>, allowedTerms?: number[]) => {
  const reading = read(over, allowedTerms);
  return reading.ok ? {} : reading.errors;
};
const submissionOf = (over: Record<string, string> = {}, allowedTerms?: number[]) => {
  const reading = read(over, allowedTerms);
  return reading.ok ? reading.submission : reading.errors;
};

describe('a filled form', () => {
  test('is what the JSON way takes, and the token and the language with it', () => {
    const reading = read({ phoneNumber: '55 1234 5678', city: 'Ciudad de México', unknown: 'field' });
    expect(reading).toMatchObject({ ok: true, token: 'token', language: 'en', amount: 125_050n });
    expect(read({ amount: '12.5' }).amount).toBe(0n);
    const submission = reading.ok ? reading.submission : undefined;
    expect(submission?.terms).toBe(3);
    expect(submission?.card.number.reveal()).toBe('4242424242424242');
    expect(submission?.card.cvc.reveal()).toBe('123');
    expect(submission?.card).toMatchObject({ expirationMonth: 8, expirationYear: 2029, holderName: 'Ana Torres' });
    expect(submission?.billingInformation).toEqual({
      email: 'ana@example.com',
      firstName: 'Ana',
      lastName: 'Torres',
      phoneNumber: '55 1234 5678',
      address: { addressLine: undefined, city: 'Ciudad de México', state: undefined, zip: undefined },
    });
  });

  test('without optional fields has none, not empty ones', () => {
    const empty = { phoneNumber: '', addressLine: ' ', city: '', state: '', zip: '' };
    expect(submissionOf(empty)).toMatchObject({
      billingInformation: { email: 'ana@example.com', firstName: 'Ana', lastName: 'Torres' },
    });
    expect(JSON.stringify(submissionOf(empty))).not.toMatch(/phoneNumber|address|""/);
  });

  test('keeps the only terms that there are when it does not say any', () => {
    expect(submissionOf({ terms: '' }, [1])).toMatchObject({ terms: 1 });
    expect(submissionOf({ terms: '' }, [12])).toMatchObject({ terms: 12 });
  });

  test('counts the first of a repeated field', () => {
    const fields = new URLSearchParams([...Object.entries(filled), ['email', 'eve@example.com']]);
    expect(readCheckoutForm(fields, { allowedTerms: [3], now })).toMatchObject({
      submission: { billingInformation: { email: 'ana@example.com' } },
    });
  });
});

describe('an expiry', () => {
  test.each([
    ['08/29', 8, 2029],
    ['8/29', 8, 2029],
    ['08/2029', 8, 2029],
    ['08 / 29', 8, 2029],
    ['08-29', 8, 2029],
    ['08 29', 8, 2029],
    ['8.2029', 8, 2029],
    ['0829', 8, 2029],
    ['082029', 8, 2029],
    [' 11/26 ', 11, 2026],
    ['12/99', 12, 2099],
  ])('%p is read', (expiry, expirationMonth, expirationYear) => {
    expect(submissionOf({ expiry })).toMatchObject({ card: { expirationMonth, expirationYear } });
  });

  test.each([
    ['', 'required'],
    ['   ', 'required'],
    ['13/29', 'invalid'],
    ['00/29', 'invalid'],
    ['829', 'invalid'],
    ['08/029', 'invalid'],
    ['08/29/30', 'invalid'],
    ['08/2100', 'invalid'],
    ['agosto 29', 'invalid'],
    ['10/26', 'expired'],
    ['12/2025', 'expired'],
    ['01/00', 'expired'],
  ])('%p is %s', (expiry, fault) => {
    expect(errorsOf({ expiry })).toEqual({ expiry: fault });
  });

  test('is good until its month has passed in Mexico City', () => {
    const fields = new URLSearchParams({ ...filled, expiry: '11/26' });
    const at = (time: string) => readCheckoutForm(fields, { allowedTerms: [3], now: new Date(time) }).ok;
    expect(at('2026-12-01T05:59:59Z')).toBe(true);
    expect(at('2026-12-01T06:00:00Z')).toBe(false);
  });
});

describe('what is wrong', () => {
  test('is said of every field at once', () => {
    const reading = readCheckoutForm(new URLSearchParams(), { allowedTerms: [1, 3], now });
    expect(reading).toMatchObject({
      ok: false,
      token: '',
      language: 'es',
      values: {},
      errors: {
        number: 'required',
        expiry: 'required',
        cvc: 'required',
        holderName: 'required',
        terms: 'required',
        email: 'required',
        firstName: 'required',
        lastName: 'required',
      },
    });
  });

  test.each([
    ['number', '4242 4242 4242 4241', 'invalid'],
    ['number', '4242', 'invalid'],
    ['number', 'abcd', 'invalid'],
    ['cvc', '12', 'invalid'],
    ['cvc', '12345', 'invalid'],
    ['cvc', 'abc', 'invalid'],
    ['holderName', 'x'.repeat(256), 'invalid'],
    ['holderName', 'a\0', 'invalid'],
    ['terms', '9', 'invalid'],
    ['terms', '03', 'invalid'],
    ['email', 'ana', 'invalid'],
    ['email', 'ana@', 'invalid'],
    ['email', 'a b@example.com', 'invalid'],
    ['firstName', 'x'.repeat(256), 'invalid'],
    ['phoneNumber', '5'.repeat(51), 'invalid'],
    ['zip', 'x'.repeat(21), 'invalid'],
  ])('%s as %p is %s', (name, value, fault) => {
    expect(errorsOf({ [name]: value })).toEqual({ [name]: fault });
  });

  test('names come back, number and code never do', () => {
    const reading = read({ cvc: '12', number: '4242424242424241', phoneNumber: '55 1234 5678', state: '' });
    const { expiry, holderName, terms, email, firstName, lastName } = filled;
    const kept = { expiry, holderName, terms, email, firstName, lastName, phoneNumber: '55 1234 5678' };
    expect(reading.values).toEqual(kept);
  });

  test.each([
    'holderName',
    'expiry',
    'email',
    'firstName',
    'lastName',
    'addressLine',
    'city',
    'state',
    'zip',
    'phoneNumber',
  ])("a card's number in %s is refused and does not come back", (name) => {
    for (const number of ['4242424242424242', '4242 4242 4242 4242', 'Ana 4242-4242-4242-4242']) {
      const reading = read({ [name]: number });
      expect(reading).toMatchObject({ ok: false, errors: { [name]: 'cardNumber' } });
      expect(JSON.stringify(reading.values)).not.toContain('4242');
    }
  });

  test('a telephone number is none, even where its check digit is right', () => {
    expect(submissionOf({ phoneNumber: '+52 1 55 1234 5671' })).toMatchObject({ terms: 3 });
    expect(submissionOf({ phoneNumber: '378282246310005' })).toMatchObject({ terms: 3 });
  });
});

function acceptedByJson({ card, billingInformation }: CheckoutSubmission): boolean {
  const plain = { ...card, number: card.number.reveal(), cvc: card.cvc.reveal() };
  return cardInput.safeParse(plain).success && payerInformation.safeParse(billingInformation).success;
}

describe('form and JSON agree', () => {
  const text = fc
    .string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' })
    .map((s) => s.trim())
    .filter((s) => s !== '' && !/\d{2}/.test(s));
  const json = fc.record({
    number: fc.constantFrom(...Object.values(testCards)),
    month: fc.integer({ min: 1, max: 12 }),
    year: fc.integer({ min: 2027, max: 2099 }),
    cvc: fc.constantFrom('123', '0000'),
    holderName: text,
    email: fc.emailAddress().filter((address) => !/\d{4}/.test(address)),
    firstName: text,
    lastName: text,
    phoneNumber: fc.option(text),
    city: fc.option(text),
  });

  test('what JSON can say, the form can', () => {
    fc.assert(
      fc.property(json, ({ number, month, year, cvc, holderName, ...payer }) => {
        const card = { number, expirationMonth: month, expirationYear: year, cvc, holderName };
        const { city, ...names } = payer;
        const billing = payerInformation.parse({ ...names, ...(city === null ? {} : { address: { city } }) });
        const reading = read({
          number,
          expiry: `${month}/${year}`,
          cvc,
          holderName,
          ...Object.fromEntries(Object.entries(payer).map(([name, value]) => [name, value ?? ''])),
        });
        expect(reading.ok ? reading.submission : reading.errors).toEqual({
          card: cardInput.parse(card),
          terms: 3,
          billingInformation: billing,
        });
      }),
    );
  });

  test('what the form lets through, the schemas of JSON do, whatever was typed', () => {
    const typed = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.constantFrom(...Object.values(filled), ''));
    const fields = fc.record(Object.fromEntries(fieldNames.map((name) => [name, typed])));
    fc.assert(
      fc.property(fields, (over) => {
        const reading = read(over);
        const agreed = reading.ok ? acceptedByJson(reading.submission) : Object.keys(reading.errors).length > 0;
        expect(agreed).toBe(true);
      }),
    );
  });
});
