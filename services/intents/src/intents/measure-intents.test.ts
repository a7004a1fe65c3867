import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { openTestMetrics } from '@cobro/testing/test-metrics.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { measureIntents } from './measure-intents.ts';

const metrics = openTestMetrics();
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase('intents');
  db = openPatiently({ url: database.url, schema: 'intents', max: 2 });
});
afterAll(async () => {
  await metrics.stop();
  await db.close();
  await database.drop();
});

async function intent(terminalId: string | null, chargingPaymentId: string | null): Promise<string> {
  const id = newId();
  await db.run(sql`
    insert into payment_intent (id, organization_id, external_id, terminal_id, charging_payment_id, amount, currency, trace,
      created_at, expires_at, updated_at)
    values (${id}, ${newId()}, ${id}, ${terminalId}, ${chargingPaymentId}, 100, 'MXN', '{}', now(), now(), now())`);
  return id;
}

async function terminal(): Promise<string> {
  const id = newId();
  await db.run(sql`
    insert into terminal (id, organization_id, serial_number, created_at) values (${id}, ${newId()}, ${id}, now())`);
  return id;
}

test('intents that wait are counted by what they wait for, and the oldest tap by how long it has no outcome', async () => {
  measureIntents(db);
  const tap = async () => (await metrics.readPatiently('cobro.intents.charging.seconds'))[0]?.value;
  expect(await tap()).toBe(0);
  const [at, payment] = [await terminal(), newId()];
  await intent(null, null);
  await intent(await terminal(), null);
  const charging = await intent(at, payment);
  await db.run(sql`
    insert into intent_attempt (intent_id, attempt_id, terminal_id, request_digest, status, payment_id, requested_at)
    values (${charging}, ${newId()}, ${at}, 'x', 'REQUESTED', ${payment}, clock_timestamp() - interval '100 seconds')`);
  expect(await metrics.readPatiently('cobro.intents.open')).toEqual([
    { value: 1, attributes: { state: 'unassigned' } },
    { value: 1, attributes: { state: 'assigned' } },
    { value: 1, attributes: { state: 'charging' } },
  ]);
  expect(await tap()).toBeGreaterThanOrEqual(100);
});
