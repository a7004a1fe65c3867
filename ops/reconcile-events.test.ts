import { outwardId } from '@cobro/contracts/outward-events.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { sql } from '@cobro/postgres/database.ts';
import { runCommand } from '@cobro/testing/run-command.ts';
import { shownWrongly } from '@cobro/testing/shown-wrongly.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { moveToNoon, type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reconcileCommands } from './reconcile-command.ts';

let services: RunningServices;
let holds: TestHolds;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds', 'reporting', 'webhooks'] });
  await moveToNoon(services);
  holds = await testHolds(services);
});
afterAll(() => services?.stop());

const reconcile = () =>
  runCommand({
    tables: [reconcileCommands],
    args: ['reconcile', '--date', dayInMexicoCity(services.now())],
    env: {
      KEY_MODE: 'test',
      BANK_URL: services.bank.url,
      PAYMENTS_DATABASE_URL: services.databaseUrl('payments'),
      HOLDS_DATABASE_URL: services.databaseUrl('holds'),
      REPORTING_DATABASE_URL: services.databaseUrl('reporting'),
      WEBHOOKS_DATABASE_URL: services.databaseUrl('webhooks'),
    },
  });

test('reconcile names each event that a merchant was not shown, or was shown twice', async () => {
  const charge = async () => (await holds.merchant.charge(holds.cardId)).body.id;
  // Events before the oldest that is kept are not compared.
  const [oldest, unsent, sentTwice] = [await charge(), await charge(), await charge()];
  const released = await holds.place();
  await holds.release(released);
  const ids = [oldest, unsent, sentTwice, released.id];
  const [payments, webhooks] = [services.db('payments'), services.db('webhooks')];
  await until('all is shown', async () => (await shownWrongly(payments, webhooks, ids)).length === 0);
  await services.moveClock(10 * 60_000);
  await until('the books agree', async () => (await reconcile()).code === 0);

  await webhooks.run(sql`delete from event where object_id = ${unsent}`);
  await webhooks.run(sql`
    insert into event (id, organization_id, type, object_id, created_at, data)
    select ${outwardId(sentTwice, 'payment.confirmed', 2)}, organization_id, type, object_id, created_at, data
    from event where object_id = ${sentTwice}`);
  await webhooks.run(sql`
    update event set type = 'hold.captured' where object_id = ${released.id} and type = 'hold.released'`);
  const { code, out } = await reconcile();
  expect(code).toBe(1);
  const said = (id: string, type: string, found: number, right: number) =>
    `payment ${id} in webhooks: the number of events ${type} ${id} is ${found}, not ${right}\n`;
  expect(out).toContain('\n4 differences\n');
  expect(out).toContain(said(unsent, 'payment.confirmed', 0, 1));
  expect(out).toContain(said(sentTwice, 'payment.confirmed', 2, 1));
  expect(out).toContain(said(released.id, 'hold.released', 0, 1));
  expect(out).toContain(said(released.id, 'hold.captured', 1, 0));
});
