import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestIntents, testIntents } from '@cobro/testing/test-intents.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let services: RunningServices;
let intents: TestIntents;
beforeAll(async () => {
  services = await startServices({ services: ['intents', 'payments'], replicas: { payments: 2 } });
  intents = await testIntents(services);
});
afterAll(() => services?.stop());

test('a replica that cannot reach the acquirer keeps no tap from the one that can', async () => {
  const { terminal, intent } = await intents.ready();
  await Promise.all([services.kill('payments', 0), services.kill('payments', 1)]);
  await services.restart('payments', 0, { BANK_URL: 'http://127.0.0.1:9' });
  const attemptId = newId();
  const pay = () => terminal.pay(intent, undefined, { attemptId });
  const paying = pay();
  const db = services.db('payments');
  // The first try finds the bank unreachable. From then on this replica knows, and does not even claim.
  await until('it was tried in vain', async () => (await db.many(sql`select from tap where tries > 2`)).length === 1);
  // The other replica may be slow to start.
  await db.run(sql`update tap set charge_before = clock_timestamp() + interval '10 minutes'`);
  await services.restart('payments', 1);
  await until('the other one charges it', async () => (await intents.sales()).length === 1, 30_000);
  await paying;
  await until('it is decided', async () => (await pay()).status !== 202);
  expect(await pay()).toMatchObject({ status: 201 });
  expect(await intents.sales()).toHaveLength(1);
});
