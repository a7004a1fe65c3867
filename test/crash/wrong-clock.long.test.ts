import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from '@cobro/postgres/database.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { testHolds } from '@cobro/testing/test-holds.ts';
import { testSubscriptions } from '@cobro/testing/test-subscriptions.ts';
import { until } from '@cobro/testing/until.ts';

const DAY_MS = 86_400_000;
/** Some turns of the jobs, which run every second. */
const TURNS_MS = 4_000;

let services: RunningServices;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'] });
});
afterAll(() => services.stop());

/** Restarts the service with its machine's clock this far ahead, and back when some turns have passed. */
async function withClockAhead(service: 'payments' | 'holds', aheadMs: number): Promise<void> {
  const ahead = new URL('./clock-ahead.ts', import.meta.url).href;
  await services.terminate(service);
  await services.restart(service, 0, { NODE_OPTIONS: `--import=${ahead}`, AHEAD_MS: String(aheadMs) });
  const health = await fetch(new URL('/health/ready', services.url(service)));
  expect(await health.json()).toMatchObject({ degraded: expect.arrayContaining(['clock_wrong']) });
  await sleep(TURNS_MS);
  await services.terminate(service);
  await services.restart(service, 0, { NODE_OPTIONS: undefined, AHEAD_MS: undefined });
}

const bankKinds = async () => (await services.bank.operations()).map(({ kind }) => kind);

test('a machine whose clock is a month ahead lets no hold go before its time', async () => {
  const holds = await testHolds(services);
  const held = await holds.place();
  const kept = () => services.db('holds').many(sql`select from hold where payment_id = ${held.id} and status = 'HELD'`);
  await until('holds knows it', async () => (await kept()).length === 1);
  const before = await bankKinds();
  await withClockAhead('holds', 30 * DAY_MS);
  expect(await kept()).toHaveLength(1);
  expect(await bankKinds()).toEqual(before);
  expect((await patiently(() => holds.capture(held))).status).toBe(200);
});

test('a machine whose clock is a day ahead charges no period before its time', async () => {
  const subs = await testSubscriptions(services);
  const firstBillingDate = new Date(services.now().getTime() + DAY_MS).toISOString().slice(0, 10);
  const made = await subs.create({ firstBillingDate });
  const before = await bankKinds();
  await withClockAhead('payments', 2 * DAY_MS);
  expect(await subs.payments(made)).toEqual([]);
  expect(await bankKinds()).toEqual(before);
  await subs.moveTo(`${firstBillingDate}T08:00:00-06:00`);
  await until('it is charged', async () => (await subs.payments(made)).some(({ status }) => status === 'CONFIRMED'));
});
