import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestSubscriptions, testSubscriptions } from '@cobro/testing/test-subscriptions.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let services: RunningServices;
let subs: TestSubscriptions;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'] });
  subs = await testSubscriptions(services);
});
afterAll(() => services.stop());

/** Revokes the card after it was read as ACTIVE, and before the claim on it is written. */
async function revokeBeforeClaim<T>(card: string, begin: () => Promise<T>): Promise<{ begun: Promise<T> }> {
  const db = services.db('payments');
  return db.inTransaction(async (tx) => {
    await tx.many(sql`lock table bank_operation in exclusive mode`);
    const begun = begin();
    await until('its claim waits', async () => {
      const waiting = sql`
        select from pg_stat_activity
        where wait_event_type = 'Lock' and query like '/* claim */%' and datname = current_database()`;
      return (await db.many(waiting)).length > 0;
    });
    expect(await subs.merchant.call({ method: 'DELETE', path: `/payment-method/${card}` })).toMatchObject({
      status: 200,
    });
    return { begun };
  });
}
const paymentsOf = (card: string) =>
  services.db('payments').many(sql`select status from payment where payment_method_id = ${card}`);
const dueTomorrow = async (paymentMethodId: string) => {
  const firstBillingDate = new Date(services.now().getTime() + 86_400_000).toISOString().slice(0, 10);
  return subs.create({ paymentMethodId, firstBillingDate });
};
const moveToDue = ({ firstBillingDate }: Subscription) => subs.moveTo(`${firstBillingDate}T08:00:00-06:00`);

test.each<[string, (card: string) => Promise<HttpAnswer>]>([
  ['a charge', (card) => subs.merchant.charge(card)],
  ['a charge with an externalId', (card) => subs.merchant.charge(card, { externalId: newId() })],
  ['the first charge of a subscription', (paymentMethodId) => subs.post({ paymentMethodId, externalId: newId() })],
])('%s does not begin after the card is revoked', async (_, charge) => {
  const { id: card } = await subs.card();
  const { begun } = await revokeBeforeClaim(card, () => charge(card));
  expect(await begun).toMatchObject(refusal(409, 'PAYMENT_METHOD_NOT_ACTIVE'));
  expect(await paymentsOf(card)).toEqual([]);
  const list = await subs.merchant.call({ path: `/subscription?paymentMethodId=${card}` });
  expect(list.body).toMatchObject({ count: 0 });
});

test('a charge that was not sent is not sent again once the card is revoked', async () => {
  const { id: card } = await subs.card();
  const asked = { externalId: newId() };
  await services.bank.kill();
  const unsent = await subs.merchant.charge(card, asked);
  await services.bank.start();
  expect(unsent).toMatchObject(refusal(503, 'BANK_UNAVAILABLE'));
  await subs.create();
  const { begun } = await revokeBeforeClaim(card, () => subs.merchant.charge(card, asked));
  expect(await begun).toMatchObject(refusal(409, 'PAYMENT_METHOD_NOT_ACTIVE'));
  expect(await paymentsOf(card)).toEqual([{ status: 'NOT_INITIALIZED' }]);
});

test('a charge is replayed although its card is revoked', async () => {
  const { id: card } = await subs.card();
  const asked = { externalId: newId() };
  const { body } = await subs.merchant.charge(card, asked);
  await subs.merchant.call({ method: 'DELETE', path: `/payment-method/${card}` });
  expect(await subs.merchant.charge(card, asked)).toMatchObject({ status: 201, body });
});

test('a period is not charged once the card is revoked: by hand 409, by the clock PAST_DUE', async () => {
  const { id: card } = await subs.card();
  const made = await dueTomorrow(card);
  const { begun } = await revokeBeforeClaim(card, () => moveToDue(made));
  await begun;
  // Ends the lease of the job that found the card revoked.
  const look = () =>
    services.db('payments').run(sql`update subscription set try_at = clock_timestamp() where id = ${made.id}`);
  await until('nothing to charge with is found', async () => {
    await look();
    return (await subs.get(made)).status === 'PAST_DUE';
  });
  expect((await subs.get(made)).lastDeclineCode).toBe('payment_method_not_active');
  const { id: other } = await subs.card();
  expect((await subs.change(made, { paymentMethodId: other })).status).toBe(200);
  await subs.becomes(made, { status: 'ACTIVE' });
  expect(await paymentsOf(card)).toEqual([]);

  const { id: lost } = await subs.card();
  const paused = await dueTomorrow(lost);
  await subs.act(paused, 'pause');
  await moveToDue(paused);
  const byHand = await revokeBeforeClaim(lost, () => subs.act(paused, 'period/1/charge'));
  expect(await byHand.begun).toMatchObject(refusal(409, 'PAYMENT_METHOD_NOT_ACTIVE'));
  expect(await paymentsOf(lost)).toEqual([]);
});
