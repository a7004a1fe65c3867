import { expect, jest, test } from '@jest/globals';
import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { until } from '@cobro/testing/until.ts';
import { at, codeOf, renewalsUnderTest } from './renewals-under-test.ts';

jest.setTimeout(900_000);

const { services, subs, goodCard, numbersOf, statusesOf, visit } = renewalsUnderTest();
const badCard = async () => (await subs().card(testCards.declined)).id;

test('the clock visits month ends and a leap day: each period is charged once, at 08:00, from the anchor', async () => {
  await visit('2027-10-31');
  const monthly = await subs().create({ totalPeriods: 6 });
  const yearly = await subs().create({ periodicity: 'YEARLY', firstBillingDate: '2028-02-29' });
  for (const [day, number] of [
    ['2027-11-30', 2],
    ['2027-12-31', 3],
    ['2028-01-31', 4],
    ['2028-02-29', 5],
  ] as const) {
    await visit(day, '07:59');
    expect(await numbersOf(monthly)).toHaveLength(number - 1);
    await visit(day, '08:00');
    await until(`period ${number} is paid`, async () => (await numbersOf(monthly)).length === number);
  }
  expect(await numbersOf(yearly)).toEqual([1]);
  await visit('2028-03-31');
  expect(await numbersOf(monthly)).toEqual([1, 2, 3, 4, 5, 6]);
  await visit('2028-04-29');
  expect((await subs().get(monthly)).status).toBe('ACTIVE');
  await visit('2028-04-30', '00:00');
  await subs().becomes(monthly, { status: 'COMPLETED', endReason: 'COMPLETED' });
  expect(codeOf(await subs().act(monthly, 'cancel'))).toBe('409 SUBSCRIPTION_ENDED');
  expect(await statusesOf(monthly)).toEqual(Array(6).fill('PAID'));
});

test('an outage of three months: the period of that moment is charged, those that are over are skipped and collectable', async () => {
  const made = await subs().create({ amount: 120 });
  const [before] = [services().now()];
  await Promise.all([services().kill('payments', 0), services().kill('payments', 1)]);
  await services().moveClock(95 * 86_400_000);
  await Promise.all([services().restart('payments', 0), services().restart('payments', 1)]);
  expect(services().now().getTime() - before.getTime()).toBeGreaterThan(95 * 86_400_000 - 1);
  await until('it is charged', async () => (await numbersOf(made)).length === 2);
  await subs().settled();
  expect(await numbersOf(made)).toEqual([1, 4]);
  expect(await statusesOf(made)).toEqual(['PAID', 'SKIPPED', 'SKIPPED', 'PAID']);
  const collected = await subs().act(made, 'period/2/charge');
  expect(collected).toMatchObject({ status: 201, body: { status: 'CONFIRMED', amount: 120 } });
  expect(await statusesOf(made)).toEqual(['PAID', 'PAID', 'SKIPPED', 'PAID']);
});

test('a clock that goes back undoes nothing and charges nothing twice', async () => {
  const made = await subs().create({ periodicity: 'WEEKLY' });
  const start = services().now();
  for (const days of [7, 14, 0, 7, 14, 21]) {
    await subs().moveTo(new Date(start.getTime() + days * 86_400_000 + 43_200_000));
    await subs().settled();
  }
  expect(await numbersOf(made)).toEqual([1, 2, 3, 4]);
  expect((await subs().payments(made)).length).toBe(4);
});

/** A subscription whose renewal was declined this morning, with 30 days ahead. */
async function pastDue(paymentMethodId: string, lastDeclineCode = 'do_not_honor') {
  const inDays = (from: Date, days: number) => new Date(from.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const due = inDays(services().now(), 1);
  const made = await subs().create({ firstBillingDate: due, paymentMethodId });
  await visit(due, '08:00');
  await subs().becomes(made, { status: 'PAST_DUE', lastDeclineCode });
  return { ...made, due, inDays: (n: number) => inDays(new Date(`${due}T12:00:00Z`), n) };
}

test('a decline is retried at 08:00 of due day + 1, 3, 7, 14; after the last it is CANCELLED', async () => {
  const made = await pastDue(await badCard());
  for (const [days, declines] of [
    [1, 2],
    [3, 3],
    [7, 4],
  ] as const) {
    expect((await subs().get(made)).nextRetryAt).toBe(new Date(at(made.inDays(days), '08:00')).toISOString());
    await visit(made.inDays(days), '07:59');
    expect(await subs().payments(made)).toHaveLength(declines - 1);
    await visit(made.inDays(days), '08:00');
    await until(`${declines} declines`, async () => (await subs().payments(made)).length === declines);
    expect((await subs().get(made)).status).toBe('PAST_DUE');
  }
  await visit(made.inDays(14), '08:00');
  await subs().becomes(made, { status: 'CANCELLED', endReason: 'PAYMENT_FAILED' });
  expect(await subs().periods(made)).toMatchObject([{ number: 1, status: 'FAILED', declines: 5 }]);
});

test('slots missed together are one attempt; a new card while PAST_DUE charges the open period within seconds', async () => {
  const made = await pastDue(await badCard());
  await visit(made.inDays(8));
  await until('one attempt', async () => (await subs().payments(made)).length === 2);
  const changed = await subs().change(made, { paymentMethodId: await goodCard(), amount: 500 });
  expect(changed.status).toBe(200);
  await subs().becomes(made, { status: 'ACTIVE', lastDeclineCode: null, nextRetryAt: null });
  // The amount counts from the next unattempted period; declines so far still count.
  expect(await subs().periods(made)).toMatchObject([{ status: 'PAID', declines: 2, amount: 349 }]);
  expect((await subs().get(made)).amount).toBe(500);
});

test('a hard decline: the bank is not asked again until the card is replaced; CANCELLED by the clock at the last slot', async () => {
  const stolen = async () => pastDue((await subs().card(testCards.stolen)).id, 'stolen_card');
  const made = await stolen();
  expect((await subs().get(made)).nextRetryAt).toBeNull();
  // An id in capitals is the same card.
  const same = { paymentMethodId: made.paymentMethodId.toUpperCase() };
  expect((await subs().change(made, same)).body).toEqual(await subs().get(made));
  for (const days of [1, 3, 7]) await visit(made.inDays(days), '08:01');
  expect((await subs().get(made)).status).toBe('PAST_DUE');
  expect(codeOf(await subs().act(made, 'period/1/charge'))).toBe('409 PAYMENT_METHOD_NOT_ACTIVE');
  expect(await subs().payments(made)).toHaveLength(1);
  await visit(made.inDays(14), '08:00');
  await subs().becomes(made, { status: 'CANCELLED', endReason: 'PAYMENT_FAILED' });
  expect(await subs().payments(made)).toHaveLength(1);
  const other = await stolen();
  await subs().change(other, { paymentMethodId: await goodCard() });
  await subs().becomes(other, { status: 'ACTIVE', lastDeclineCode: null });
});

test('where no retry was left when it was resumed, a decline by hand ends nothing', async () => {
  const made = await pastDue(await badCard());
  await subs().act(made, 'pause');
  await visit(made.inDays(15));
  await subs().act(made, 'resume');
  expect(codeOf(await subs().act(made, 'period/1/charge'))).toBe('402 CHARGE_DECLINED');
  expect(await subs().get(made)).toMatchObject({ status: 'PAST_DUE', endedAt: null, nextRetryAt: null });
});

test('nothing to charge with: PAST_DUE without a payment, each slot looks again, CANCELLED at the last', async () => {
  const cards = [await goodCard(), await goodCard()];
  const start = services().now();
  const due = new Date(start.getTime() + 86_400_000).toISOString().slice(0, 10);
  const made: Subscription[] = [];
  for (const paymentMethodId of cards) made.push(await subs().create({ firstBillingDate: due, paymentMethodId }));
  const [kept, lost] = made as [Subscription, Subscription];
  for (const id of cards) await subs().merchant.call({ method: 'DELETE', path: `/payment-method/${id}` });
  await visit(due, '08:00');
  for (const one of made) {
    await subs().becomes(one, { status: 'PAST_DUE', lastDeclineCode: 'payment_method_not_active' });
    expect(await subs().payments(one)).toEqual([]);
  }
  await subs().change(kept, { paymentMethodId: await goodCard() });
  await subs().becomes(kept, { status: 'ACTIVE' });
  for (const days of [1, 3, 7, 14]) {
    expect((await subs().get(lost)).status).toBe('PAST_DUE');
    await visit(new Date(Date.parse(`${due}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10), '08:00');
  }
  await subs().becomes(lost, { status: 'CANCELLED', endReason: 'PAYMENT_FAILED' });
  expect(await subs().payments(lost)).toEqual([]);
});

test('periods begun while paused are SKIPPED, the current one too; resuming charges nothing new', async () => {
  const made = await subs().create({ periodicity: 'WEEKLY', paymentMethodId: await goodCard() });
  const start = services().now();
  const later = (days: number) => subs().moveTo(new Date(start.getTime() + days * 86_400_000));
  await subs().act(made, 'pause');
  await later(15);
  expect(await statusesOf(made)).toEqual(['PAID', 'SKIPPED', 'SKIPPED']);
  expect((await subs().act(made, 'resume')).body).toMatchObject({
    status: 'ACTIVE',
    currentPeriod: { status: 'SKIPPED' },
  });
  await subs().settled();
  expect(await numbersOf(made)).toEqual([1]);
  await later(22);
  await until('the next period is charged', async () => (await numbersOf(made)).length === 2);
  expect(await statusesOf(made)).toEqual(['PAID', 'SKIPPED', 'SKIPPED', 'PAID']);
  const last = await subs().act(made, 'cancel', { atPeriodEnd: true });
  expect(last.body).toMatchObject({ status: 'ACTIVE', cancelAtPeriodEnd: true });
  await later(29);
  await subs().becomes(made, { status: 'CANCELLED', endReason: 'MERCHANT' });
  expect(await numbersOf(made)).toEqual([1, 4]);
});

test('collecting by hand: 402 as a charge, 429 after 15 declines, and a FAILED period can still be paid', async () => {
  const made = await pastDue(await badCard());
  for (let declines = 2; declines <= 15; declines++)
    expect(codeOf(await subs().act(made, 'period/1/charge'))).toBe('402 CHARGE_DECLINED');
  expect(codeOf(await subs().act(made, 'period/1/charge'))).toBe('429 TOO_MANY_ATTEMPTS');
  await subs().change(made, { paymentMethodId: await goodCard() });
  await subs().becomes(made, { status: 'ACTIVE' });
  expect(await subs().periods(made)).toMatchObject([{ status: 'PAID', declines: 15 }]);
});
