import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { approvedCard, declinedCard } from '@cobro/testing/card-numbers.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { type TestSubscriptions, testSubscriptions } from '@cobro/testing/test-subscriptions.ts';
import { until } from '@cobro/testing/until.ts';

jest.setTimeout(1_800_000);

let services: RunningServices;
/** The same merchant's subscriptions, at two replicas. */
let replicas: readonly [TestSubscriptions, TestSubscriptions];
let subs: TestSubscriptions;
const agreed = () =>
  untilAgreed({ bankUrl: services.bank.url, payments: services.db('payments'), holds: services.db('holds') });
beforeAll(async () => {
  services = await startServices({
    services: ['payments', 'holds'],
    env: { BANK_CALL_TIMEOUT_MS: '4000' },
    replicas: { payments: 2 },
  });
  subs = await testSubscriptions(services);
  replicas = [subs, await testSubscriptions(services, { merchant: subs.merchant, replica: 1 })];
});
afterAll(async () => {
  await agreed();
  await services.stop();
});

const DAY_MS = 86_400_000;
const codeOf = ({ status, body }: HttpAnswer) => `${status} ${(body as { code?: string }).code ?? ''}`.trim();
let lastCard = 300_000;
const goodCard = async () => (await subs.card(approvedCard(++lastCard))).id;
const rounds = inFull ? 20 : 2;

/** Creates subscriptions, and gives the time at which they become due. */
async function dueTomorrow(count: number): Promise<{ made: Subscription[]; due: Date }> {
  const firstBillingDate = new Date(services.now().getTime() + DAY_MS).toISOString().slice(0, 10);
  const made: Subscription[] = [];
  for (let i = 0; i < count; i++) made.push(await subs.create({ firstBillingDate, paymentMethodId: await goodCard() }));
  return { made, due: new Date(`${firstBillingDate}T08:00:00-06:00`) };
}
const paidIn = async (subscription: Pick<Subscription, 'id'>) =>
  (await subs.payments(subscription)).filter(({ status }) => status === 'CONFIRMED' || status === 'PENDING').length;

test('charges by hand at both replicas and both runners meet at one payment', async () => {
  const { made, due } = await dueTomorrow(rounds);
  await subs.moveTo(due);
  const answers = await Promise.all(
    made.flatMap((one) => [0, 1, 0, 1].map((i) => replicas[i as 0 | 1].act(one, 'period/1/charge'))),
  );
  for (const answer of answers) expect(['201', '409 CHARGE_IN_PROGRESS']).toContain(codeOf(answer));
  for (const one of made) {
    await subs.becomes(one, { status: 'ACTIVE' });
    expect((await subs.payments(one)).map(({ status }) => status)).toEqual(['CONFIRMED']);
  }
});

test.each(['cancel', 'pause'])(
  'after the 200 of %s no charge begins, whatever the runners were about to do',
  async (action) => {
    const { made, due } = await dueTomorrow(rounds);
    await subs.moveTo(new Date(due.getTime() - 200));
    const paidAtAnswer = await Promise.all(
      made.map(async (one, i) => {
        await sleep(i * (inFull ? 60 : 400));
        expect((await replicas[(i % 2) as 0 | 1].act(one, action)).status).toBe(200);
        return (await subs.payments(one)).length;
      }),
    );
    await sleep(2_500);
    for (const [i, one] of made.entries()) expect((await subs.payments(one)).length).toBe(paidAtAnswer[i]);
  },
);

test('a new card and the retry of the old one take turns: one payment stands', async () => {
  const firstBillingDate = new Date(services.now().getTime() + DAY_MS).toISOString().slice(0, 10);
  const made: Subscription[] = [];
  for (let i = 0; i < rounds; i++) {
    const { id: paymentMethodId } = await subs.card(declinedCard(++lastCard));
    made.push(await subs.create({ firstBillingDate, paymentMethodId }));
  }
  const cards = await Promise.all(made.map(goodCard));
  const due = new Date(`${firstBillingDate}T08:00:00-06:00`).getTime();
  await subs.moveTo(new Date(due));
  for (const one of made) await subs.becomes(one, { status: 'PAST_DUE' });
  await subs.moveTo(new Date(due + DAY_MS - 100));
  await Promise.all(
    made.map(async (one, i) => {
      await sleep(i * (inFull ? 120 : 500));
      await replicas[(i % 2) as 0 | 1].change(one, { paymentMethodId: cards[i] ?? '' });
    }),
  );
  for (const one of made) {
    await subs.becomes(one, { status: 'ACTIVE' });
    expect(await paidIn(one)).toBe(1);
  }
});

test('a card that is set while the bank declines the old one for good is charged at once', async () => {
  const { id: paymentMethodId } = await subs.card(testCards.stolen);
  const firstBillingDate = new Date(services.now().getTime() + DAY_MS).toISOString().slice(0, 10);
  const made = await subs.create({ firstBillingDate, paymentMethodId });
  const newCard = await goodCard();
  const statuses = async () => (await subs.payments(made)).map(({ status }) => status).join(' ');
  await services.bank.setFaults({ next: [{ kind: 'sale', fault: 'held' }] });
  await subs.moveTo(`${firstBillingDate}T08:00:00-06:00`);
  await until('the old card is charged', async () => (await statuses()) === 'PENDING');
  expect((await subs.change(made, { paymentMethodId: newCard })).status).toBe(200);
  await services.bank.setFaults({});
  await until('the new card has paid', async () => (await statuses()) === 'CANCELLED CONFIRMED');
  expect(await subs.becomes(made, { status: 'ACTIVE' })).toMatchObject({ lastDeclineCode: null, nextRetryAt: null });
});

/** Sales of these cards in the bank's books, by their keys. */
async function salesOf(...cards: string[]): Promise<number> {
  const keys = await services.db('payments').many<{ id: string }>(sql`
    select o.id from bank_operation o join payment p on p.id = o.subject_id
    where p.payment_method_id = any(${cards}::uuid[]) and o.status = 'approved'`);
  const known = new Set(keys.map(({ id }) => id));
  const operations = await services.bank.operations();
  return operations.filter((one) => one.kind === 'sale' && one.outcome === 'approved' && known.has(one.idempotencyKey))
    .length;
}

const LIVE_MS = 15_000;
const LIVE_EVERY_MS = 40;

/** How long answered charges by requests take, in milliseconds. */
async function liveCharges(cards: readonly string[]): Promise<{ p99: number }> {
  const took: number[] = [];
  const charge = async (i: number) => {
    const begun = performance.now();
    const { status } = await subs.merchant.charge(cards[i % cards.length] ?? '', { amount: 1 });
    if (status === 201) took.push(performance.now() - begun);
  };
  const all: Promise<void>[] = [];
  for (const begun = performance.now(); performance.now() - begun < LIVE_MS;) {
    all.push(charge(all.length));
    await sleep(LIVE_EVERY_MS);
  }
  await Promise.all(all);
  const sorted = took.toSorted((one, other) => one - other);
  return { p99: Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0) };
}

testInFull(
  'many due in one minute, under kills, the bank 1 % silent: exactly one sale each, all known within 5 minutes',
  async () => {
    const count = 10_000;
    const paymentMethodId = await goodCard();
    const firstBillingDate = new Date(services.now().getTime() + DAY_MS).toISOString().slice(0, 10);
    const sample = await subs.create({ firstBillingDate, paymentMethodId });
    const db = services.db('payments');
    await db.run(sql`
    insert into subscription (id, organization_id, request_digest, payment_method_id, amount, currency, periodicity,
      first_billing_date, is_started, wake_at, created_at, updated_at)
    select gen_random_uuid(), organization_id, request_digest, payment_method_id, amount, currency, periodicity,
      first_billing_date, is_started, wake_at, created_at, updated_at
    from subscription, generate_series(2, ${count}) where id = ${sample.id}`);
    const liveCards = await Promise.all(Array.from({ length: 20 }, goodCard));
    const alone = await liveCharges(liveCards);
    const salesBefore = (await services.bank.operations()).filter(({ kind }) => kind === 'sale').length;
    const liveBefore = await salesOf(...liveCards);
    await services.bank.setFaults({ kinds: ['sale'], rates: { silentDone: 0.005, silentNotDone: 0.005 }, seed: 7 });
    await subs.moveTo(`${firstBillingDate}T08:00:00-06:00`);
    const begun = Date.now();
    const known = async () =>
      (
        await db.one<{ count: number }>(sql`
      select count(*)::int as count from payment where payment_method_id = ${paymentMethodId} and status = 'CONFIRMED'`)
      ).count;
    // Beside the job, before a replica is killed.
    const beside = await liveCharges(liveCards);
    process.stderr.write(
      `charges by requests, p99: ${alone.p99} ms alone, ${beside.p99} ms beside ${await known()} renewals\n`,
    );
    const over = new AbortController();
    const killing = (async () => {
      for (let i = 0; !over.signal.aborted; i++) {
        await sleep(5_000);
        if (over.signal.aborted) return;
        await services.kill('payments', i % 2);
        await services.restart('payments', i % 2);
      }
    })();
    await until('all are known', async () => (await known()) === count, 300_000).finally(() => over.abort());
    await killing;
    await services.bank.setFaults({});
    process.stderr.write(`${count} renewals known after ${Date.now() - begun} ms\n`);
    await agreed();
    expect(await salesOf(paymentMethodId)).toBe(count);
    const sales = (await services.bank.operations()).filter(({ kind }) => kind === 'sale').slice(salesBefore);
    const live = (await salesOf(...liveCards)) - liveBefore;
    expect(sales.filter(({ outcome }) => outcome === 'approved')).toHaveLength(count + live);
    expect(beside.p99).toBeLessThanOrEqual(2 * alone.p99);
  },
);

testInFull('a database restored from before the renewals repeats keys, and charges nothing again', async () => {
  const { made, due } = await dueTomorrow(3);
  const { id: otherCard } = await subs.card(testCards.approved);
  const db = services.db('payments');
  await db.run(sql`create table kept_subscription as select * from subscription`);
  await subs.moveTo(due);
  for (const one of made) await until('it is paid', async () => (await paidIn(one)) === 1);
  await agreed();
  const keysOf = async () =>
    (
      await db.many<{ id: string }>(sql`
      select o.id from bank_operation o join payment p on p.id = o.subject_id
      where p.subscription_id = any(${made.map(({ id }) => id)}::uuid[]) order by o.id`)
    ).map(({ id }) => id);
  const cardsOf = () =>
    db.many<{ card: object }>(sql`
      select card from payment where subscription_id = any(${made.map(({ id }) => id)}::uuid[]) order by subscription_id`);
  const [keys, cards, operations] = [await keysOf(), await cardsOf(), (await services.bank.operations()).length];

  await Promise.all([services.kill('payments', 0), services.kill('payments', 1)]);
  const ids = made.map(({ id }) => id);
  await db.run(sql`
    delete from bank_operation where subject_id in (select id from payment where subscription_id = any(${ids}::uuid[]))`);
  await db.run(sql`delete from payment where subscription_id = any(${ids}::uuid[])`);
  await db.run(sql`
    update subscription set latest_number = kept.latest_number, attempted_at = kept.attempted_at,
      retries_end_at = kept.retries_end_at, period_ends_at = kept.period_ends_at, wake_at = kept.wake_at, version = kept.version
    from kept_subscription kept where subscription.id = kept.id and kept.id = any(${ids}::uuid[])`);
  // The bank refuses another request under a key; its record counts.
  await db.run(sql`update subscription set amount = 50000 where id = ${made[0]?.id}`);
  await db.run(sql`update subscription set payment_method_id = ${otherCard} where id = ${made[1]?.id}`);
  await Promise.all([services.restart('payments', 0), services.restart('payments', 1)]);
  for (const one of made) await until('it is paid again', async () => (await paidIn(one)) === 1);
  await agreed();
  expect(await keysOf()).toEqual(keys);
  expect(await cardsOf()).toEqual(cards);
  for (const one of made) expect((await subs.payments(one)).map(({ amount }) => amount)).toEqual([34_900n]);
  expect(await services.bank.operations()).toHaveLength(operations);
});
