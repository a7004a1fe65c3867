import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { testIntents } from '@cobro/testing/test-intents.ts';
import { testLinks } from '@cobro/testing/test-links.ts';
import { openTestMetrics } from '@cobro/testing/test-metrics.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { measureOperationCodes } from './measure-operation-codes.ts';

const metrics = openTestMetrics();
let services: RunningServices;

beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds', 'intents', 'reporting'] });
});
afterAll(async () => {
  await metrics.stop();
  await services.stop();
});

const setLast = (code: number) => services.db('payments').run(sql`select setval('operation_code', ${code})`);

test('operation codes go on beyond 32 bits, for saved cards, links and taps, in every answer and in every table', async () => {
  await setLast(2_147_483_646);
  const links = await testLinks(services);
  const card = await links.merchant.saveCard();
  const charged = await links.merchant.charge(card.id);
  expect(charged.status).toBe(201);
  expect((await links.pay(await links.create())).body).toMatchObject({ operationCode: 2_147_483_648 });
  const intents = await testIntents(services);
  const { terminal, intent } = await intents.ready();
  expect((await terminal.pay(intent)).body).toMatchObject({ operationCode: 2_147_483_649 });
  expect((await intents.read(intent)).body).toMatchObject({ paymentSummary: { operationCode: 2_147_483_649 } });
  await untilAgreed({
    bankUrl: services.bank.url,
    payments: services.db('payments'),
    holds: services.db('holds'),
    reporting: services.db('reporting'),
  });
  const codesIn = (service: 'payments' | 'reporting') =>
    services.db(service).many(sql`select operation_code as code from payment order by operation_code`);
  const codes = [2_147_483_647n, 2_147_483_648n, 2_147_483_649n].map((code) => ({ code }));
  expect([await codesIn('payments'), await codesIn('reporting')]).toEqual([codes, codes]);
});

test('the last code is the largest whole number that JSON carries exactly; behind it nothing is charged', async () => {
  const links = await testLinks(services);
  const card = await links.merchant.saveCard();
  await setLast(Number.MAX_SAFE_INTEGER - 1);
  expect((await links.pay(await links.create())).body).toMatchObject({ operationCode: 9_007_199_254_740_991 });
  const sales = async () => (await services.bank.operations()).filter(({ kind }) => kind === 'sale').length;
  const before = await sales();
  expect((await links.merchant.charge(card.id)).status).toBe(500);
  expect((await links.pay(await links.create())).status).toBe(500);
  expect(await sales()).toBe(before);
});

test('a gauge says how much of the codes is used, before the first payment as well', async () => {
  const stop = measureOperationCodes(services.db('payments'));
  const used = async () => (await metrics.readPatiently('cobro.operation_codes.used')).map(({ value }) => value);
  await setLast(2 ** 52);
  expect(await used()).toEqual([expect.closeTo(0.5)]);
  await services.db('payments').run(sql`alter sequence operation_code restart`);
  expect(await used()).toEqual([expect.closeTo(0)]);
  stop();
});
