import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { cardOf, spawnBank, teller, type SpawnedBank } from './bank-under-test.ts';

const day = 86_400_000;
let bank: SpawnedBank;
let say: ReturnType<typeof teller>;
beforeAll(async () => {
  bank = await spawnBank();
  say = teller(bank);
});
afterAll(() => bank.close());

const declined = (declineCode: string) => ({ outcome: 'declined', declineCode, authCode: null });
const approved = {
  outcome: 'approved',
  reference: expect.stringMatching(/^[a-z]{3}_/),
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  authCode: expect.stringMatching(/^[0-9A-Z]{6}$/),
  resultCode: '00',
  text: 'APROBADA',
};

describe('the vault', () => {
  test('gives a token, the masked facts and a fingerprint that is the same for the same card', async () => {
    const { status, body } = await bank.post('/tokens', cardOf('approved'));
    expect(status).toBe(200);
    expect(body).toEqual({
      outcome: 'approved',
      token: expect.stringMatching(/^tok_/),
      lastFourDigits: '4242',
      network: 'VISA',
      fundingSource: 'CREDIT',
      issuingBank: 'BBVA MEXICO',
      fingerprint: expect.any(String),
      time: expect.any(String),
    });
    const again = (await bank.post('/tokens', cardOf('approved'))).body;
    expect(again['fingerprint']).toBe(body['fingerprint']);
    expect(again['token']).not.toBe(body['token']);
  });
  test('takes every test card', async () => {
    for (const name of Object.keys(testCards) as (keyof typeof testCards)[]) {
      expect((await bank.post('/tokens', cardOf(name))).body).toMatchObject({ outcome: 'approved' });
    }
  });
  test('declines a card that has expired', async () => {
    const { body } = await bank.post('/tokens', { ...cardOf('approved'), expirationYear: 2020 });
    expect(body).toMatchObject({ outcome: 'declined', declineCode: 'expired_card', text: 'TARJETA VENCIDA' });
  });
});

describe('money', () => {
  test('of a sale in installments stands in the books with its terms', async () => {
    const key = crypto.randomUUID();
    const sale = { token: await say.token(), amount: 90_000, currency: 'MXN', terms: 9 };
    const card = { lastFourDigits: '4242', network: 'VISA', fundingSource: 'CREDIT', issuingBank: 'BBVA MEXICO' };
    const sold = { ...approved, amount: 90_000, card };
    expect((await bank.post('/sales', sale, key)).body).toEqual(sold);
    const plain = await bank.post('/sales', { ...sale, terms: 1 });
    expect(plain.body).toEqual(sold);
    const books = await bank.operations();
    expect(books.find(({ idempotencyKey }) => idempotencyKey === key)).toMatchObject({ kind: 'sale', terms: 9 });
    expect(books.at(-1)).toMatchObject({ kind: 'sale', terms: 1 });
    expect(books.find(({ kind }) => kind === 'tokenize')).toMatchObject({ terms: null });
    expect((await bank.post('/sales', { ...sale, terms: 3 }, key)).status).toBe(422);
    expect((await bank.post('/sales', { ...sale, terms: 0 })).status).toBe(400);
  });
  test('is authorized, captured in part and refunded in parts up to what was captured', async () => {
    const authorization = await say.authorize(10_000);
    expect(authorization).toEqual({ ...approved, captureBefore: expect.stringMatching(/:30:00\.000Z$/) });
    const capture = await say.capture(authorization, 6_000);
    expect(capture).toEqual(approved);
    expect(await say.refund(capture, 2_500)).toEqual(approved);
    expect(await say.refund(capture, 3_501)).toMatchObject(declined('amount_exceeds_captured'));
    expect(await say.refund(capture, 3_500)).toEqual(approved);
    expect(await say.refund(capture, 1)).toMatchObject(declined('amount_exceeds_captured'));
  });
  test('of a sale is refunded up to what was sold', async () => {
    const sale = await say.sell(5_000);
    expect(await say.refund(sale, 5_001)).toMatchObject(declined('amount_exceeds_captured'));
    expect(await say.refund(sale, 5_000)).toEqual(approved);
    expect(await say.refund(sale, 5_000)).toMatchObject(declined('amount_exceeds_captured'));
  });
  test('is not captured above what was authorized, and the authorization stays open', async () => {
    const authorization = await say.authorize(10_000);
    expect(await say.capture(authorization, 10_001)).toMatchObject(declined('amount_exceeds_authorization'));
    expect(await say.capture(authorization, 10_000)).toEqual(approved);
  });
  test('is captured once, also by two captures at once under different keys', async () => {
    const authorization = await say.authorize(10_000);
    const captures = await Promise.all([say.capture(authorization, 4_000), say.capture(authorization, 4_000)]);
    expect(captures.filter((capture) => capture['outcome'] === 'approved')).toHaveLength(1);
    expect(await say.capture(authorization, 1)).toMatchObject(declined('already_captured'));
  });
  test('is not captured after a void, and not voided twice', async () => {
    const authorization = await say.authorize(10_000);
    expect(await say.void(authorization)).toEqual(approved);
    expect(await say.capture(authorization, 1)).toMatchObject(declined('already_voided'));
    expect(await say.void(authorization)).toMatchObject(declined('already_voided'));
  });
  test('that was captured is not voided', async () => {
    const authorization = await say.authorize(10_000);
    await say.capture(authorization, 1);
    expect(await say.void(authorization)).toMatchObject(declined('already_captured'));
  });
  test('that was only authorized is not refunded', async () => {
    expect(await say.refund(await say.authorize(100), 100)).toMatchObject(declined('not_captured'));
  });
  test('of an operation that never was is neither captured, voided nor refunded', async () => {
    const sale = await say.sell(100);
    const nothing = { reference: 'aut_none' };
    expect(await say.capture(nothing, 1)).toMatchObject(declined('unknown_reference'));
    expect(await say.capture(sale, 1)).toMatchObject(declined('unknown_reference'));
    expect(await say.void(nothing)).toMatchObject(declined('unknown_reference'));
    expect(await say.refund(nothing, 1)).toMatchObject(declined('unknown_reference'));
  });
});

describe('the nature of a card', () => {
  test.each([
    ['declined', 'do_not_honor', '05'],
    ['insufficientFunds', 'insufficient_funds', '51'],
  ] as const)('%s declines authorization and sale', async (name, declineCode, resultCode) => {
    expect(await say.authorize(100, name)).toMatchObject({ ...declined(declineCode), resultCode });
    expect(await say.sell(100, name)).toMatchObject({ ...declined(declineCode), resultCode });
  });
  test('captureDeclined declines the capture only', async () => {
    const authorization = await say.authorize(100, 'captureDeclined');
    expect(await say.capture(authorization, 100)).toMatchObject(declined('do_not_honor'));
    expect(await say.void(authorization)).toEqual(approved);
    expect(await say.refund(await say.sell(100, 'captureDeclined'), 100)).toEqual(approved);
  });
  test('refundDeclined declines the refund only', async () => {
    const capture = await say.capture(await say.authorize(100, 'refundDeclined'), 100);
    expect(capture).toEqual(approved);
    expect(await say.refund(capture, 100)).toMatchObject(declined('do_not_honor'));
  });
});

describe('business time', () => {
  // Fixed once, so that a midnight during the test changes no day.
  const mexico = new Date(Date.now() - 6 * 3_600_000);
  const midnight = Date.UTC(mexico.getUTCFullYear(), mexico.getUTCMonth(), mexico.getUTCDate()) + 6 * 3_600_000;
  /** Milliseconds from now to a time of day in Mexico City (UTC-6), some natural days after today there. */
  const until = (days: number, hour: number, minute: number): number =>
    midnight + days * day + (hour * 60 + minute) * 60_000 - Date.now();

  test('closes an authorization at 23:30 of its seventh day, under whatever key, and lets refunds go on', async () => {
    await bank.moveClock(until(0, 20, 0));
    const [first, second, third] = [await say.authorize(100), await say.authorize(100), await say.authorize(100)];
    await bank.moveClock(until(6, 23, 29));
    const capture = await say.capture(first, 100);
    expect(capture).toEqual(approved);
    expect(await say.void(second)).toEqual(approved);
    await bank.moveClock(until(6, 23, 30));
    expect(await say.capture(third, 100)).toMatchObject(declined('expired'));
    expect(await say.capture(third, 1)).toMatchObject(declined('expired'));
    expect(await say.void(third)).toMatchObject(declined('already_expired'));
    expect(await say.refund(capture, 100)).toEqual(approved);
    expect(String(capture['time']).slice(0, 10)).toBe(new Date(Date.now() + until(7, 0, 0)).toISOString().slice(0, 10));
    await bank.moveClock(0);
  });
  test('is taken over again by a bank that starts again', async () => {
    await bank.moveClock(30 * day);
    await bank.kill();
    await bank.start();
    const { time } = (await say.sell(100)) as { time: string };
    expect(Math.abs(Date.parse(time) - Date.now() - 30 * day)).toBeLessThan(60_000);
    await bank.moveClock(0);
  });
});

test('no card number is in the books, nor in anything that the bank writes', async () => {
  await say.sell(100, 'amexCredit');
  await bank.post('/sales', { token: testCards.approved, amount: 1, currency: 'MXN' });
  await bank.post('/tokens', { ...cardOf('approved'), cvc: 'x' });
  const books = readdirSync(bank.folder).map((name) => readFileSync(join(bank.folder, name), 'latin1'));
  for (const number of Object.values(testCards)) {
    for (const text of [...books, bank.output()]) expect(text.includes(number)).toBe(false);
  }
  expect(books.join('').includes('tok_')).toBe(true);
  expect(bank.output().includes('tok_')).toBe(false);
});
