import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listParked } from '@cobro/events/parked.ts';
import { sql } from '@cobro/postgres/database.ts';
import { openPublisher, type Publisher } from '@cobro/testing/open-publisher.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { makeReadOnly } from '@cobro/testing/test-database.ts';
import { testEnvironment } from '@cobro/testing/test-environment.ts';
import { until } from '@cobro/testing/until.ts';
import { about, merchant, paymentFacts } from '@cobro/testing/test-facts.ts';

let services: RunningServices;
let publisher: Publisher;
beforeAll(async () => {
  services = await startServices({ services: ['reporting'] });
  publisher = await openPublisher(services);
});
afterAll(async () => {
  await publisher?.close();
  await services?.stop();
});

const confirm = async () => {
  const facts = paymentFacts({ createdAt: services.now() });
  await publisher.publish(about('PaymentConfirmed', { ...facts, confirmedAt: facts.createdAt }));
  return facts;
};
const statusOf = async ({ organizationId, paymentId }: Awaited<ReturnType<typeof confirm>>) => {
  const caller = merchant(organizationId);
  return (await services.call('reporting', { path: `/developer/v1/payment/${paymentId}`, caller })).status;
};
const readiness = () => services.call('reporting', { path: '/health/ready' });

test('a database that becomes read-only: reads go on, readiness says degraded, no event is parked, and all come by themselves', async () => {
  const before = await confirm();
  await until('shown', async () => (await statusOf(before)) === 200);
  const { name } = await services.db('reporting').one<{ name: string }>(sql`select current_database() as name`);
  const role = testEnvironment().postgres.templates['reporting']?.role.name ?? '';

  const restore = await makeReadOnly(name, role);
  const during = await Promise.all(Array.from({ length: 25 }, confirm));
  await until('it is degraded', async () => {
    const { status, body } = await readiness();
    const { degraded = [] } = body as { degraded?: string[] };
    return status === 200 && degraded.includes('database_read_only') && degraded.includes('events_wait');
  });
  // Longer than the first two pauses before a failed event is retried, so each event would have failed three times.
  const statuses: number[] = [];
  for (const end = Date.now() + 3_000; Date.now() < end; await sleep(100)) {
    statuses.push(await statusOf(before), (await readiness()).status);
  }
  // A process that stands still for half a second is not ready then.
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses.filter((status) => status === 503).length).toBeLessThanOrEqual(statuses.length / 4);
  await restore();

  for (const facts of during) await until('shown', async () => (await statusOf(facts)) === 200);
  await until('it is whole', async () => JSON.stringify((await readiness()).body) === '{"ready":true}');
  expect(await listParked(services.broker)).toEqual([]);
  const lines = () => services.logs('reporting').match(/"event":"event\w+"/g) ?? [];
  await until('its log has been read', () => lines().length > 1);
  expect(lines()).toEqual(['"event":"events_wait"', '"event":"events_go_on"']);
});
