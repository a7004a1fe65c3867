import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { ServiceName } from '@cobro/testing/start-services.ts';
import { keepDatabases } from '@cobro/testing/test-database.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { type Reconciled, startReconciled } from '@cobro/testing/test-reconciled.ts';
import { testSubscriptions } from '@cobro/testing/test-subscriptions.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, jest } from '@jest/globals';
import { reconcileCommands } from './reconcile-command.ts';

jest.setTimeout(300_000);

let books: Reconciled;
beforeAll(async () => {
  books = await startReconciled([reconcileCommands]);
});
afterAll(() => books?.services.stop());

const names: ServiceName[] = ['payments', 'holds', 'reporting', 'intents', 'webhooks'];
const HOUR_MS = 3_600_000;

testInFull(
  'all databases of an hour ago beside the bank of today: the runner repeats keys and no charge, and no book differs',
  async () => {
    const { services } = books;
    const subs = await testSubscriptions(services);
    const firstBillingDate = dayInMexicoCity(new Date(services.now().getTime() + 24 * HOUR_MS));
    const made: Subscription[] = [];
    for (const number of [testCards.approved, testCards.approved, testCards.declined, testCards.stolen]) {
      const { id: paymentMethodId } = await subs.card(number);
      made.push(await subs.create({ firstBillingDate, paymentMethodId }));
    }
    const running = await subs.create({ periodicity: 'WEEKLY' });
    const due = new Date(`${firstBillingDate}T08:00:00-06:00`);
    await subs.moveTo(new Date(due.getTime() - HOUR_MS));
    await books.settled();

    const stopAll = () => Promise.all(names.map((name) => services.kill(name)));
    const startAll = () => Promise.all(names.map((name) => services.restart(name)));
    const kept = await stopAll().then(() => keepDatabases(names.map((name) => services.databaseUrl(name))));
    await startAll();

    const outcomes = () =>
      services.db('payments').many<{ subscription: string; status: string; key: string; code: string | null }>(sql`
      select subscription_id as subscription, payment.status, o.id as key, payment.decline_code as code
      from payment join bank_operation o on o.subject_id = payment.id where subscription_id is not null
      order by subscription_id, o.id`);
    const untilAllEnded = () =>
      until('all were charged', async () => {
        const all = await outcomes();
        return all.length === made.length + 1 && all.every(({ status }) => status !== 'PENDING');
      });
    await subs.moveTo(due);
    await untilAllEnded();
    await subs.becomes(made[3] as Subscription, { status: 'PAST_DUE', lastDeclineCode: 'stolen_card' });
    const before = await outcomes();
    const ofBank = await services.bank.operations();
    await services.moveClock(HOUR_MS);

    await stopAll();
    await kept.restore();
    await startAll();
    await untilAllEnded();
    expect(await outcomes()).toEqual(before);
    for (const [i, status] of ['ACTIVE', 'ACTIVE', 'PAST_DUE', 'PAST_DUE'].entries())
      await subs.becomes(made[i] as Subscription, { status: status as Subscription['status'] });
    await subs.becomes(running, { status: 'ACTIVE' });
    await books.settled();
    expect(await services.bank.operations()).toEqual(ofBank);
    const { code, out } = await books.reconcile(firstBillingDate);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('\nno differences\n') as unknown });
    await kept.drop();
  },
);
