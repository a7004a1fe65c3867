import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type GarblingBank, openGarblingBank } from '@cobro/testing/garbling-bank.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { testIntents } from '@cobro/testing/test-intents.ts';
import { type TestLinks, testLinks } from '@cobro/testing/test-links.ts';
import { until } from '@cobro/testing/until.ts';

/** Amounts are in centavos. */
const narrow = {
  cardPresent: false,
  terms: [1, 3],
  minimumPerTerm: 10_000,
  minimumAmount: 1_000,
  maximumAmount: 50_000,
  installments: 'AT_ONCE',
};

let bank: GarblingBank;
let services: RunningServices;
let holds: TestHolds;
let links: TestLinks;
/** How often services have read what the bank can do. */
let timesRead = 0;
beforeAll(async () => {
  bank = await openGarblingBank();
  bank.garble((answer) => {
    if (!('minimumPerTerm' in answer)) return answer;
    timesRead++;
    return { ...answer, ...narrow };
  });
  const env = { BANK_URL: bank.url };
  services = await startServices({ services: ['payments', 'holds', 'intents', 'reporting'], env });
  bank.standBefore(services.bank.url);
  [holds, links] = await Promise.all([testHolds(services), testLinks(services)]);
  await untilRefused('payments knows the bank', () => charge(600));
});
afterAll(async () => {
  await services?.stop();
  await bank?.close();
});

const charge = (amount: number, body: object = {}) => holds.merchant.charge(holds.cardId, { amount, ...body });
const codeOf = ({ status, body }: HttpAnswer) => `${status} ${(body as { code?: string }).code}`;
const untilRefused = (what: string, ask: () => Promise<HttpAnswer>) =>
  until(what, async () => codeOf(await ask()) === '409 NOT_OFFERED_BY_ACQUIRER');

test('a charge or a hold that the acquirer does not do is 409, writes nothing and spends no externalId', async () => {
  const externalId = randomUUID();
  for (const amount of [9.99, 500.01]) {
    for (const holdFunds of [false, true]) {
      expect(codeOf(await charge(amount, { holdFunds, externalId }))).toBe('409 NOT_OFFERED_BY_ACQUIRER');
    }
  }
  const written = sql`select id from payment where external_id = ${externalId}`;
  expect(await services.db('payments').many(written)).toEqual([]);
  expect(await charge(500, { externalId })).toMatchObject({ status: 201, body: { status: 'CONFIRMED' } });
  expect(await charge(10)).toMatchObject({ status: 201 });
});

test('a capture of less than the acquirer charges is asked of it', async () => {
  await until('payments, holds and intents know the bank', () => timesRead >= 3);
  const captured = await holds.capture(await holds.place(), { amount: 0.01 });
  expect(captured).toMatchObject({ status: 200, body: { status: 'CONFIRMED', amount: 0.01 } });
});

test('a link in terms that the acquirer does not do is 409 before the vault, as often as it is tried', async () => {
  const link = await links.create({ amount: 300, allowedTerms: [1, 3, 6] });
  for (let time = 0; time < 22; time++) {
    expect(codeOf(await links.pay(link, testCards.approved, { terms: 6 }))).toBe('409 TERMS_NOT_AVAILABLE');
  }
  const dear = await links.create({ amount: 500.01 });
  expect(codeOf(await links.pay(dear))).toBe('409 NOT_OFFERED_BY_ACQUIRER');
  expect(await links.pay(link, testCards.approved, { terms: 3 })).toMatchObject({ status: 201 });
});

test('a payment keeps whether its acquirer pays at once, and reporting has it', async () => {
  const link = await links.create({ amount: 450, allowedTerms: [3] });
  expect(await links.pay(link, testCards.approved, { terms: 3 })).toMatchObject({ status: 201 });
  const kept = sql`select installments, terms from payment where one_time_payment_id = ${link.id}`;
  expect(await services.db('payments').many(kept)).toEqual([{ installments: 'AT_ONCE', terms: 3 }]);
  await until('reporting has it', async () => {
    const [shown] = await services.db('reporting').many<{ installments: string }>(kept);
    return shown?.installments === 'AT_ONCE';
  });
});

test('a tap at an acquirer without terminals is 409, and the intent can still be cancelled', async () => {
  const intents = await testIntents(services);
  await untilRefused('intents knows the bank', async () => {
    const { terminal, intent } = await intents.ready();
    return terminal.pay(intent);
  });
  const { terminal, intent } = await intents.ready();
  expect(codeOf(await terminal.pay(intent))).toBe('409 NOT_OFFERED_BY_ACQUIRER');
  expect(await intents.cancel(intent)).toMatchObject({ status: 200 });
});
