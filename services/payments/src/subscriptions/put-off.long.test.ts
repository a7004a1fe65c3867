import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { approvedCard } from '@cobro/testing/card-numbers.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { type TestSubscriptions, testSubscriptions } from '@cobro/testing/test-subscriptions.ts';
import { startTwoAcquirers, type TwoAcquirers } from '@cobro/testing/two-acquirers.ts';
import { until } from '@cobro/testing/until.ts';

jest.setTimeout(600_000);

let two: TwoAcquirers;
/** `there` has its cards at the other acquirer, `here` at the default one. */
let there: TestSubscriptions;
let here: TestSubscriptions;
beforeAll(async () => {
  two = await startTwoAcquirers(['payments', 'holds'], {
    env: { BANK_CALL_TIMEOUT_MS: '5000' },
    replicas: { payments: 2 },
  });
  there = await testSubscriptions(two.services);
  here = await testSubscriptions(two.services);
  await two.use(there.merchant.organizationId, 'other');
});
afterAll(async () => {
  await untilAgreed(two.books);
  await two.stop();
});

const db = () => two.services.db('payments');
const DAY_MS = 86_400_000;
const yesterday = () => dayInMexicoCity(new Date(two.services.now().getTime() - DAY_MS));
const idsOf = (all: readonly Subscription[]) => all.map(({ id }) => id);
let lastCard = 500_000;

/** Creates subscriptions that begin tomorrow, until they are made due. */
async function subscribed(subs: TestSubscriptions, count: number): Promise<Subscription[]> {
  const firstBillingDate = dayInMexicoCity(new Date(two.services.now().getTime() + DAY_MS));
  const made: Subscription[] = [];
  for (let i = 0; i < count; i++) {
    const { id: paymentMethodId } = await subs.card(approvedCard(++lastCard));
    made.push(await subs.create({ firstBillingDate, paymentMethodId }));
  }
  return made;
}

/** The clock of two acquirers cannot be moved, so their first day is moved: due since yesterday. */
const makeDue = (made: readonly Subscription[]) =>
  db().run(sql`
    update subscription set first_billing_date = ${yesterday()}, wake_at = '-infinity', version = version + 1
    where id = any(${idsOf(made)}::uuid[])`);

const theirPausesAreOver = (made: readonly Subscription[]) =>
  db().run(sql`
    update subscription set try_at = now() where id = any(${idsOf(made)}::uuid[]) and waits_for is not null`);

const waiting = async (made: readonly Subscription[], acquirer = 'other') =>
  (
    await db().one<{ count: number }>(sql`
      select count(*)::int as count from subscription
      where id = any(${idsOf(made)}::uuid[]) and waits_for = ${acquirer} and wake_at > now()`)
  ).count;
const paid = async (made: readonly Subscription[]) =>
  (
    await db().one<{ count: number }>(sql`
      select count(*)::int as count from payment
      where subscription_id = any(${idsOf(made)}::uuid[]) and status = 'CONFIRMED'`)
  ).count;
const salesThere = async () => (await two.other.operations()).filter(({ kind }) => kind === 'sale').length;

let salesBefore: number;
beforeEach(async () => {
  salesBefore = await salesThere();
});

test('what is due at an acquirer that is away waits, whatever else is due is charged, and all are charged once when it is back', async () => {
  const made = await subscribed(there, inFull ? 40 : 28);
  const others = await subscribed(here, 5);
  const [moved, cancelled, revoked, ...waits] = made as [Subscription, Subscription, Subscription, ...Subscription[]];
  await two.other.kill();
  await makeDue(made);
  await until('they wait', async () => (await waiting(made)) === made.length);
  await makeDue(others);
  await until('the others are charged', async () => (await paid(others)) === others.length);
  expect(await waiting(made)).toBe(made.length);

  // A new card at another acquirer is charged at once; a cancelled subscription or a revoked card is not.
  await two.use(there.merchant.organizationId, 'default');
  const { id: paymentMethodId } = await there.card(approvedCard(++lastCard));
  await two.use(there.merchant.organizationId, 'other');
  expect((await there.change(moved, { paymentMethodId })).status).toBe(200);
  await until('it is charged', async () => (await paid([moved])) === 1);
  expect((await there.act(cancelled, 'cancel')).status).toBe(200);
  const card = `/payment-method/${revoked.paymentMethodId}`;
  expect((await there.merchant.call({ method: 'DELETE', path: card })).status).toBe(200);
  await there.becomes(revoked, { status: 'PAST_DUE', lastDeclineCode: 'payment_method_not_active' });

  // A replica, which takes ten at once, dies while they are charged; another takes them.
  await two.other.start();
  await until('some are charged', async () => (await paid(waits)) > waits.length / 7);
  await two.services.kill('payments', 1);
  await until('all are charged', async () => {
    // An unsent charge pauses for a minute, and the replica's leases have to run out: only the full form waits for them.
    if (!inFull) await theirPausesAreOver(waits);
    return (await paid(waits)) === waits.length;
  });
  await two.services.restart('payments', 1);
  await sleep(1_500);
  expect(await paid(made)).toBe(waits.length + 1);
  await until('nobody waits', async () => (await waiting(made)) === 0);
  expect((await salesThere()) - salesBefore).toBe(waits.length);
});

test('one whose acquirer a replica does not know waits for a replica that does', async () => {
  const made = await subscribed(there, 3);
  await two.services.kill('payments', 1);
  await two.services.kill('payments', 0);
  await two.services.restart('payments', 0, { ACQUIRERS: undefined });
  await makeDue(made);
  await until('they wait', async () => (await waiting(made)) === made.length);
  await two.services.restart('payments', 1);
  await until('all are charged', async () => (await paid(made)) === made.length);
  await two.services.kill('payments', 0);
  await two.services.restart('payments', 0);
  expect((await salesThere()) - salesBefore).toBe(made.length);
});

testInFull('an acquirer that asks for all to be sent again is asked once a minute for each', async () => {
  const made = await subscribed(there, 4);
  await two.other.setFaults({ kinds: ['sale'], rates: { retry: 1 } });
  await makeDue(made);
  await until('they wait', async () => (await waiting(made)) === made.length);
  await sleep(2_500);
  expect(await paid(made)).toBe(0);
  await two.other.setFaults({});
  const { soon } = await db().one<{ soon: number }>(sql`
    select count(*)::int as soon from subscription
    where id = any(${idsOf(made)}::uuid[]) and try_at < now() + interval '40 seconds'`);
  expect(soon).toBe(0);
  await db().run(sql`update subscription set try_at = now() where id = any(${idsOf(made)}::uuid[])`);
  await until('all are charged', async () => (await paid(made)) === made.length);
  expect((await salesThere()) - salesBefore).toBe(made.length);
});

testInFull(
  'an acquirer that is silent for everybody is away after three seconds, although nobody but the clock has asked',
  async () => {
    const merchants = [there, await testSubscriptions(two.services), await testSubscriptions(two.services)];
    for (const { merchant } of merchants.slice(1)) await two.use(merchant.organizationId, 'other');
    const made = (await Promise.all(merchants.map((one) => subscribed(one, 16)))).flat();
    await two.other.setFaults({ kinds: ['sale', 'inquire'], rates: { silentNotDone: 1 } });
    const silences = () => two.services.logs('payments').split('"reason":"silent"').length;
    const before = silences();
    await makeDue(made);
    await until('the acquirer is away', () => silences() > before);
    await until('none is asked for, and the others wait', async () => {
      const { open } = await db().one<{ open: number }>(sql`
      select count(*)::int as open from bank_operation where status = 'open' and unanswered_at is null and acquirer = 'other'`);
      return open === 0 && (await waiting(made)) > 0;
    });
    await two.other.setFaults({});
    await until('all are charged', async () => {
      await theirPausesAreOver(made);
      return (await paid(made)) === made.length;
    });
    expect((await salesThere()) - salesBefore).toBe(made.length);
  },
);
