import { expect, test } from '@jest/globals';
import { cardInput, payerInformation } from './payment-methods.ts';
import { testCards } from './test-cards.ts';

const card = { number: testCards.approved, expirationMonth: 1, expirationYear: 2030, cvc: '123', holderName: 'Ana' };

test.each(Object.values(testCards))('the test card %s is a card number', (number) => {
  const read = cardInput.parse({ ...card, number });
  expect(read.number.reveal()).toBe(number);
  expect(JSON.stringify(read)).not.toContain(number);
});

test('a number with one digit changed, or two neighbours swapped, is none', () => {
  const { number } = card;
  for (let i = 0; i < number.length; i++) {
    const digit = (Number(number[i]) + 1) % 10;
    const changed = `${number.slice(0, i)}${digit}${number.slice(i + 1)}`;
    expect(cardInput.safeParse({ ...card, number: changed }).success).toBe(false);
  }
  expect(cardInput.safeParse({ ...card, number: '2442424242424242' }).success).toBe(false);
});

test('neither number nor cvc is quoted by a refusal', () => {
  const read = cardInput.safeParse({ ...card, number: '4242424242424241', cvc: '98765' });
  expect(JSON.stringify(read.error)).not.toMatch(/42424|98765/);
});

test('who pays a one-time payment has an email and a name; the rest is optional', () => {
  const payer = { email: 'ana@example.com', firstName: 'Ana', lastName: 'Torres' };
  expect(payerInformation.parse(payer)).toEqual(payer);
  for (const wrong of [
    { email: 'ana' },
    { email: 'a b@example.com' },
    { email: '' },
    { firstName: '' },
    { lastName: '' },
  ]) {
    expect(payerInformation.safeParse({ ...payer, ...wrong }).success).toBe(false);
  }
  for (const name of ['email', 'firstName', 'lastName']) {
    expect(payerInformation.safeParse({ ...payer, [name]: undefined }).error?.issues).toMatchObject([
      { path: [name], message: 'is required' },
    ]);
  }
});
