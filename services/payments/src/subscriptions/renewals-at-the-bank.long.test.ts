import { expect, jest, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { testPromotions } from '@cobro/testing/test-promotions.ts';
import { testSubscriptions } from '@cobro/testing/test-subscriptions.ts';
import { until } from '@cobro/testing/until.ts';
import { at, codeOf, renewalsUnderTest } from './renewals-under-test.ts';

jest.setTimeout(900_000);

const { services, subs, dayIn, goodCard, itsPauseIsOver, numbersOf, statusesOf, visit } = renewalsUnderTest();

test('unknown: no other attempt until the bank was asked; what it never saw is tried again after a pause, and no slot is used', async () => {
  const due = new Date(services().now().getTime() + 86_400_000).toISOString().slice(0, 10);
  const made = await subs().create({ firstBillingDate: due, paymentMethodId: await goodCard() });
  await services().bank.setFaults({ next: [{ kind: 'sale', fault: 'silentNotDone' }] });
  await subs().moveTo(at(due, '08:00'));
  await until('it was not processed', async () => (await numbersOf(made, 'CANCELLED')).length === 1);
  await itsPauseIsOver(made);
  await until('it is paid', async () => (await numbersOf(made)).length === 1);
  expect(await subs().payments(made)).toMatchObject([
    { number: 1, status: 'CANCELLED', declineCode: 'not_processed' },
    { number: 1, status: 'CONFIRMED' },
  ]);
  expect(await subs().periods(made)).toMatchObject([{ status: 'PAID', declines: 0 }]);
  expect((await subs().get(made)).status).toBe('ACTIVE');
});

test('not sent: again when the bank is back, under the same key', async () => {
  const due = new Date(services().now().getTime() + 86_400_000).toISOString().slice(0, 10);
  const made = await subs().create({ firstBillingDate: due, paymentMethodId: await goodCard() });
  await services().bank.kill();
  await subs().moveTo(at(due, '08:00'));
  const db = services().db('payments');
  const waitsFor = async () =>
    (
      await db.one<{ acquirer: string | null }>(sql`
        select waits_for as acquirer from subscription where id = ${made.id}`)
    ).acquirer;
  await until('it waits', async () => (await waitsFor()) === 'default');
  const operationsOf = () =>
    db.many<{ id: string; status: string }>(sql`
      select o.id, o.status from bank_operation o join payment p on p.id = o.subject_id where p.subscription_id = ${made.id}`);
  const before = await operationsOf();
  await services().bank.start();
  expect(await subs().periods(made)).toMatchObject([{ status: 'OPEN', paymentId: null }]);
  // An unsent charge also pauses for a minute, which is ended here.
  await until('it is paid', async () => {
    await itsPauseIsOver(made);
    return (await numbersOf(made)).length === 1;
  });
  const after = await operationsOf();
  expect(after).toMatchObject([{ status: 'approved' }]);
  // `before` is empty if the bank was already known to be away.
  expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
});

test('put off over the end of its period: the clock goes on, and what is charged when the bank is back is the current period', async () => {
  const start = services().now().getTime();
  const inDays = (days: number) => new Date(start + days * 86_400_000).toISOString().slice(0, 10);
  const made = await subs().create({ firstBillingDate: inDays(1), periodicity: 'WEEKLY' });
  const ending = await subs().create({ periodicity: 'WEEKLY', totalPeriods: 2 });
  const waiting = async () =>
    (
      await services().db('payments').one<{ count: number }>(sql`
        select count(*)::int as count from subscription where waits_for is not null and wake_at > ${services().now()}`)
    ).count;
  await services().bank.kill();
  await subs().moveTo(at(inDays(9)));
  await until('both wait', async () => (await waiting()) === 2);
  await subs().moveTo(at(inDays(16)));
  await subs().becomes(ending, { status: 'COMPLETED' });
  await until('one waits', async () => (await waiting()) === 1);
  await services().bank.start();
  // An unsent charge also pauses for a minute, which is ended here. While the bank still counts as away, pauses begin anew: only
  // the full form waits for them.
  await itsPauseIsOver(made);
  await until('it is charged', async () => {
    if (!inFull) await itsPauseIsOver(made);
    return (await numbersOf(made)).length === 1;
  });
  await subs().settled();
  expect(await numbersOf(made)).toEqual([3]);
  expect(await statusesOf(made)).toEqual(['SKIPPED', 'SKIPPED', 'PAID']);
  expect(await numbersOf(ending)).toEqual([1]);
});

test('one that waits for its acquirer becomes PAST_DUE when its card expires, not when its period ends', async () => {
  const today = services().now();
  const dayOf = (month: number, day: number) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + month, day)).toISOString().slice(0, 10);
  await visit(dayOf(1, 20));
  const made = await subs().create({ firstBillingDate: dayOf(1, 28), paymentMethodId: await goodCard() });
  const db = services().db('payments');
  const [year, month] = dayOf(1, 28).split('-').map(Number);
  await db.run(sql`
    update payment_method set expiration_year = ${year}, expiration_month = ${month} where id = ${made.paymentMethodId}`);
  await services().bank.kill();
  await subs().moveTo(at(made.firstBillingDate, '08:00'));
  const waits = async () =>
    (await db.many(sql`select from subscription where id = ${made.id} and waits_for is not null`)).length === 1;
  await until('it waits', waits);
  await subs().moveTo(at(dayOf(2, 1)));
  await subs().becomes(made, { status: 'PAST_DUE', lastDeclineCode: 'payment_method_not_active' });
  await services().bank.start();
  expect(await numbersOf(made)).toEqual([]);
});

/** A merchant, and requests by a person in its name. */
async function withPeople() {
  const { merchant } = await testSubscriptions(services());
  const rich = await testSubscriptions(services(), { merchant });
  const byPerson = (path: string, body: object = {}, method = 'POST') =>
    services().call('payments', {
      method,
      path,
      body,
      caller: { kind: 'merchant', by: { kind: 'person', id: newId() }, organizationId: merchant.organizationId },
    });
  const make = async (body: object) =>
    byPerson('/subscription', { periodicity: 'WEEKLY', paymentMethodId: (await rich.card()).id, ...body });
  return { rich, byPerson, make };
}

test('the people of an organization charge 100,000.00 by hand in an hour, the last one more; keys go on', async () => {
  const { rich, byPerson, make } = await withPeople();
  const made = await rich.create({ periodicity: 'WEEKLY', amount: 60_000 });
  await rich.act(made, 'pause');
  await visit(dayIn(22));
  const collect = (number: number) => byPerson(`/subscription/${made.id}/period/${number}/charge`);
  // An unsent charge uses up nothing of the limit.
  await services().bank.setFaults({ next: [{ kind: 'sale', fault: 'retry' }] });
  expect(codeOf(await collect(2))).toBe('503 BANK_UNAVAILABLE');
  await services().bank.setFaults({});
  const statuses: number[] = [];
  for (const number of [1, 2, 2, 3, 4]) statuses.push((await collect(number)).status);
  // A replay, a charge and its replay, the one that passes the bound, and one too many.
  expect(statuses).toEqual([201, 201, 201, 201, 429]);
  const refused = await make({ amount: 0.01 });
  expect(refused.body).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', message: expect.stringContaining('100,000.00') });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect((await rich.act(made, 'period/4/charge')).status).toBe(201);
});

test('what people have the clock charge is within the same bound: a subscription that begins later, and a raised amount', async () => {
  const { rich, byPerson, make } = await withPeople();
  const change = (one: Pick<Subscription, 'id'>, amount: number) =>
    byPerson(`/subscription/${one.id}`, { amount }, 'PATCH');
  const later = { firstBillingDate: dayIn(1), amount: 60_000 };
  const externalId = newId();
  const made = await make({ ...later, externalId });
  expect([made.status, (await make({ ...later, externalId, amount: 1 })).status]).toEqual([201, 409]);
  const one = made.body as Subscription;
  // Lowered, raised by as much as is left, lowered, and one too many.
  const statuses = [];
  for (const amount of [100, 40_000, 100, 101]) statuses.push((await change(one, amount)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await rich.get(one)).amount).toBe(100);
  expect(codeOf(await make({ firstBillingDate: dayIn(1), amount: 0.01 }))).toBe('429 RATE_LIMIT_EXCEEDED');
  expect((await change(one, 99)).status).toBe(200);
  expect((await rich.change(one, { amount: 99_000 })).status).toBe(200);
  await rich.create(later);
});

test('a change that the database has run again counts its amount once', async () => {
  const { rich, byPerson } = await withPeople();
  const made = await rich.create({ firstBillingDate: dayIn(1), amount: 100 });
  const db = services().db('payments');
  await db.run(sql`create sequence changes`);
  await db.run(sql`
    create function refuse_twice() returns trigger language plpgsql security definer as
    $$ begin if nextval('changes') < 3 then raise exception 'again' using errcode = '40001'; end if; return new; end $$`);
  await db.run(sql`
    create trigger refuse_twice before update on subscription for each row when (new.amount = 6000000)
    execute function refuse_twice()`);
  expect((await byPerson(`/subscription/${made.id}`, { amount: 60_000 }, 'PATCH')).status).toBe(200);
});

test('so is a card that a person sets for a period that is past due, because it is charged at once', async () => {
  const { rich, byPerson } = await withPeople();
  const poorCard = async () => (await rich.card(testCards.insufficientFunds)).id;
  const made = await rich.create({ firstBillingDate: dayIn(1), amount: 60_000, paymentMethodId: await poorCard() });
  await visit(dayIn(2));
  await rich.becomes(made, { status: 'PAST_DUE' });
  const statuses = [];
  for (let times = 0; times < 3; times++) {
    const paymentMethodId = await poorCard();
    statuses.push((await byPerson(`/subscription/${made.id}`, { paymentMethodId }, 'PATCH')).status);
  }
  expect(statuses).toEqual([200, 200, 429]);
  expect((await rich.change(made, { paymentMethodId: await poorCard() })).status).toBe(200);
});

test('a promotion applies to the first charge and to renewals like to any payment, while it has room', async () => {
  const promotions = await testPromotions(services());
  const start = services().now().getTime();
  const endsAt = new Date(start + 60 * 86_400_000).toISOString();
  const { id } = await promotions.create({ maxPayments: 2, endsAt });
  const made = await (await testSubscriptions(services(), promotions)).create({ periodicity: 'WEEKLY' });
  for (const days of [7, 14]) {
    await subs().moveTo(new Date(start + days * 86_400_000 + 43_200_000));
    await subs().settled();
  }
  const carried = await services().db('payments').many<{ promotion: string | null }>(sql`
    select rates -> 'promotion' ->> 'id' as promotion from payment where subscription_id = ${made.id}
    order by period_number`);
  expect(carried.map(({ promotion }) => promotion)).toEqual([id, id, null]);
  expect((await promotions.read(id)).paymentsCount).toBe(2);
});
