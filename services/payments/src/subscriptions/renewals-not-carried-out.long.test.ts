import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { hearEvents, type HeardEvents } from '@cobro/testing/hear-events.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { until } from '@cobro/testing/until.ts';
import { at, codeOf, renewalsUnderTest } from './renewals-under-test.ts';

jest.setTimeout(900_000);

const { services, subs, dayIn, goodCard, itsPauseIsOver, numbersOf, visit } = renewalsUnderTest();
let events: HeardEvents;
beforeAll(async () => {
  events = await hearEvents(services().broker);
});
afterAll(() => events.close());
beforeEach(() => services().bank.setFaults({}));

const db = () => services().db('payments');

/** Seconds until it is tried again. */
const pauseOf = async ({ id }: Subscription) =>
  (
    await db().one<{ pause: number }>(sql`
      select extract(epoch from try_at - clock_timestamp())::float as pause from subscription where id = ${id}`)
  ).pause;
/** Allows twenty seconds for a slow machine. */
async function expectPause(one: Subscription, seconds: number): Promise<void> {
  const pause = await pauseOf(one);
  expect(pause).toBeGreaterThan(seconds - 20);
  expect(pause).toBeLessThanOrEqual(seconds);
}
const declinesHeard = async (one: Subscription) =>
  (await subs().payments(one)).flatMap(({ id }) => events.of(id)).filter(({ type }) => type === 'PaymentDeclined')
    .length;
const operationsOf = ({ id }: Subscription) =>
  db().many<{ id: string; status: string }>(sql`
    select o.id, o.status from bank_operation o join payment p on p.id = o.subject_id
    where p.subscription_id = ${id} order by claimed_at`);
const salesOf = async (one: Subscription) => {
  const keys = new Set((await operationsOf(one)).map(({ id }) => id));
  return (await services().bank.operations()).filter(({ idempotencyKey }) => keys.has(idempotencyKey)).length;
};

/** Waits for two turns of the charging job: twice it looks at a subscription with nothing to do. */
async function twoTurns(): Promise<void> {
  const { id } = await subs().create({ firstBillingDate: dayIn(300), paymentMethodId: await goodCard() });
  const isDue = sql`select from subscription where id = ${id} and wake_at = '-infinity'`;
  for (const turn of ['first', 'second']) {
    await db().run(sql`update subscription set wake_at = '-infinity', try_at = clock_timestamp() where id = ${id}`);
    await until(`the ${turn} turn is over`, async () => (await db().many(isDue)).length === 0);
  }
}

test.each<'error' | 'silentNotDone'>(inFull ? ['error', 'silentNotDone'] : ['silentNotDone'])(
  'a card of the nature %s is tried again after a minute, then after two, whoever has died meanwhile, with one event a try',
  async (nature) => {
    const paymentMethodId = (await subs().card(testCards[nature])).id;
    const made = await subs().create({ firstBillingDate: dayIn(1), paymentMethodId });
    await subs().moveTo(at(made.firstBillingDate, '08:00'));
    for (const [tries, seconds] of [
      [1, 60],
      [2, 120],
      [3, 240],
    ] as const) {
      await until(`try ${tries} has ended`, async () => (await numbersOf(made, 'CANCELLED')).length === tries);
      await expectPause(made, seconds);
      if (tries === 2) {
        await Promise.all([services().kill('payments', 0), services().kill('payments', 1)]);
        await Promise.all([services().restart('payments', 0), services().restart('payments', 1)]);
      }
      await until('its event is heard', async () => (await declinesHeard(made)) >= tries);
      await twoTurns();
      expect(await subs().payments(made)).toHaveLength(tries);
      expect(await declinesHeard(made)).toBe(tries);
      await itsPauseIsOver(made);
    }
    expect(await subs().get(made)).toMatchObject({ status: 'ACTIVE', lastDeclineCode: null });
    expect(await declinesHeard(made)).toBe(3);
    const changed = await subs().change(made, { paymentMethodId: await goodCard() });
    expect(changed.status).toBe(200);
    await until('another card is charged', async () => (await numbersOf(made)).length === 1);
    expect(await subs().periods(made)).toMatchObject([{ status: 'PAID', declines: 0 }]);
    expect(await salesOf(made)).toBe(1);
  },
);

test('a key that the acquirer has closed to be asked again is not used again: no event, a pause that grows to an hour, one sale', async () => {
  const made = await subs().create({ firstBillingDate: dayIn(1), paymentMethodId: await goodCard() });
  await services().bank.setFaults({ kinds: ['sale'], rates: { retry: 1 } });
  await subs().moveTo(at(made.firstBillingDate, '08:00'));
  for (const [tries, seconds] of [
    [1, 60],
    [2, 120],
    [3, 3_600],
  ] as const) {
    await until(`try ${tries} has ended`, async () => {
      const all = await operationsOf(made);
      return all.length === tries && all.every(({ status }) => status === 'not_sent');
    });
    await expectPause(made, seconds);
    expect((await subs().payments(made)).map(({ status }) => status)).toEqual(['NOT_INITIALIZED']);
    // As many tries would leave it.
    if (tries === 2) await db().run(sql`update payment set closed_keys = 700 where subscription_id = ${made.id}`);
    if (tries < 3) await itsPauseIsOver(made);
  }
  expect((await subs().periods(made))[0]).toMatchObject({ status: 'OPEN', declines: 0, paymentId: null });
  await services().bank.setFaults({});
  await itsPauseIsOver(made);
  await until('it is paid', async () => (await numbersOf(made)).length === 1);
  expect((await subs().payments(made)).map(({ status }) => status)).toEqual(['CONFIRMED']);
  expect(await declinesHeard(made)).toBe(0);
  expect(await salesOf(made)).toBe(1);
});

testInFull('however many cards are silent, others are renewed in time', async () => {
  const [silentDay, goodDay] = [dayIn(1), dayIn(2)];
  const paymentMethodId = (await subs().card(testCards.silentNotDone)).id;
  const sample = await subs().create({ firstBillingDate: silentDay, paymentMethodId });
  const good = await subs().create({ firstBillingDate: goodDay, paymentMethodId: await goodCard() });
  await db().run(sql`
    insert into subscription (id, organization_id, request_digest, payment_method_id, amount, currency, periodicity,
      first_billing_date, is_started, wake_at, created_at, updated_at)
    select gen_random_uuid(), organization_id, request_digest, payment_method_id, amount, currency, periodicity,
      first_billing_date, is_started, wake_at, created_at, updated_at
    from subscription, generate_series(2, 60) where id = ${sample.id}`);
  const tried = async () =>
    (
      await db().one<{ count: number }>(sql`
        select count(distinct subscription_id)::int as count from payment
        where payment_method_id = ${paymentMethodId} and status = 'CANCELLED'`)
    ).count;
  await subs().moveTo(at(silentDay, '08:00'));
  await until('each was tried once', async () => (await tried()) === 60);
  const begun = performance.now();
  await subs().moveTo(at(goodDay, '08:00'));
  await until('the other is paid', async () => (await numbersOf(good)).length === 1);
  expect(performance.now() - begun).toBeLessThan(20_000);
});

test('an amount that is changed before the bank has charged anything counts for the period', async () => {
  const made = await subs().create({ firstBillingDate: dayIn(1), paymentMethodId: await goodCard() });
  await services().bank.setFaults({ next: [{ kind: 'sale', fault: 'retry' }] });
  await subs().moveTo(at(made.firstBillingDate, '08:00'));
  await until('it was not sent', async () => (await numbersOf(made, 'NOT_INITIALIZED')).length === 1);
  expect((await subs().change(made, { amount: 500 })).status).toBe(200);
  await until('it is paid', async () => (await numbersOf(made)).length === 1);
  expect((await subs().payments(made)).map(({ amount }) => amount)).toEqual([50_000n]);
  expect(await subs().periods(made)).toMatchObject([{ status: 'PAID', amount: 500 }]);
});

const waits = async ({ id }: Subscription) =>
  (await db().many(sql`select from subscription where id = ${id} and waits_for = 'default'`)).length === 1;

test.each([
  ['retry', 'SKIPPED'],
  ['silentNotDone', 'FAILED'],
] as const)(
  'a period whose charge was not carried out (%s) is left out by a pause: resuming charges nothing, and its decline by hand changes no status',
  async (fault, status) => {
    const made = await subs().create({ firstBillingDate: dayIn(1), paymentMethodId: await goodCard() });
    await services().bank.setFaults({ next: [{ kind: 'sale', fault }] });
    await subs().moveTo(at(made.firstBillingDate, '08:00'));
    await until('it waits for the acquirer', () => waits(made));
    expect((await subs().act(made, 'pause')).status).toBe(200);
    await itsPauseIsOver(made);
    expect((await subs().act(made, 'resume')).body).toMatchObject({ status: 'ACTIVE', currentPeriod: { status } });
    await subs().settled();
    await twoTurns();
    expect(await numbersOf(made)).toEqual([]);
    expect((await subs().change(made, { paymentMethodId: (await subs().card(testCards.declined)).id })).status).toBe(
      200,
    );
    expect(codeOf(await subs().act(made, 'period/1/charge'))).toBe('402 CHARGE_DECLINED');
    expect((await subs().get(made)).status).toBe('ACTIVE');
    expect((await subs().change(made, { paymentMethodId: await goodCard() })).status).toBe(200);
    expect((await subs().act(made, 'period/1/charge')).status).toBe(201);
    expect(await numbersOf(made)).toEqual([1]);
  },
);

test('a new card that is not carried out is tried after a minute, then after two, also where no retry is left', async () => {
  const paymentMethodId = (await subs().card(testCards.declined)).id;
  const made = await subs().create({ firstBillingDate: dayIn(1), paymentMethodId });
  await visit(made.firstBillingDate, '08:00');
  await subs().becomes(made, { status: 'PAST_DUE' });
  expect((await subs().act(made, 'pause')).status).toBe(200);
  await visit(dayIn(15));
  expect((await subs().act(made, 'resume')).body).toMatchObject({ status: 'PAST_DUE', nextRetryAt: null });
  const silent = (await subs().card(testCards.silentNotDone)).id;
  expect((await subs().change(made, { paymentMethodId: silent })).status).toBe(200);
  for (const [tries, seconds] of [
    [2, 60],
    [3, 120],
  ] as const) {
    await until(`try ${tries} has ended`, async () => (await numbersOf(made, 'CANCELLED')).length === tries);
    await expectPause(made, seconds);
    await itsPauseIsOver(made);
  }
  expect(await subs().get(made)).toMatchObject({ status: 'PAST_DUE', endedAt: null });
});
