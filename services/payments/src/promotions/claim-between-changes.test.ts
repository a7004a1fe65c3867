import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql, type Sql } from '@cobro/postgres/database.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { payer } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { frozenRates, type TestShop, testShop } from '@cobro/testing/test-promotions.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

// A claim writes nothing, although the promotion has room by the time that is known.

let services: RunningServices;
beforeAll(async () => {
  services = await startServices({ services: ['payments'], env: { BANK_CALL_TIMEOUT_MS: '4000' } });
});
afterAll(() => services.stop());

const idOf = ({ body }: HttpAnswer) => (body as { id: string }).id;
const countOf = async (shop: TestShop, id: string) => (await shop.read(id)).paymentsCount;
const untilWaiting = (count: number, isOver: () => boolean) =>
  until(`${count} wait`, async () => {
    if (isOver()) return true;
    const { waiting } = await services.db('payments').one<{ waiting: number }>(sql`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%promotion%'`);
    return waiting >= count;
  });
/** Thrown if the machine is too slow: a wait for a lock ends after two seconds. */
class TooSlow extends Error {}
/** Runs the scenario again if this machine was too slow for it. */
async function inTime(scenario: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await scenario();
    } catch (error) {
      if (tries === 5 || !(error instanceof TooSlow)) throw error;
    }
  }
}
/** Commits `during` before `ask`'s claim gets the promotion's row, and `after` before promotions are read again. */
async function claimedBetween(
  id: string,
  ask: () => Promise<HttpAnswer>,
  { during, after }: { during: Sql[]; after: Sql[] },
): Promise<HttpAnswer> {
  const db = services.db('payments');
  let isOver = false;
  const over = () => void (isOver = true);
  const { asked, changed } = await db.inTransaction(async (tx) => {
    await tx.one(sql`select id from promotion where id = ${id} for no key update`);
    const asking = ask().finally(over);
    await untilWaiting(1, () => isOver);
    for (const change of during) await tx.run(change);
    const changing = db.inTransaction(async (later) => {
      await later.run(sql`lock table promotion in access exclusive mode`);
      for (const change of after) await later.run(change);
    });
    changing.catch(over);
    await untilWaiting(2, () => isOver);
    return { asked: asking, changed: changing };
  });
  const answer = await asked;
  await changed.catch((error: { code?: string }) => {
    throw error.code === '55P03' ? new TooSlow() : error;
  });
  if (answer.status === 503) throw new TooSlow();
  return answer;
}
const counting = (id: string, counted: number) => sql`update promotion set counted = ${counted} where id = ${id}`;

test('a claim on a card that wrote nothing is made again with the same promotion, where a decline has given its last place back', async () => {
  await inTime(async () => {
    const shop = await testShop(services);
    const { id } = await shop.create({ businessTake: 1, maxPayments: 1 });
    const next = await shop.create();
    const charge = () => shop.merchant.charge(shop.card);
    const charged = await claimedBetween(id, charge, { during: [counting(id, 1)], after: [counting(id, 0)] });
    expect(await frozenRates(services, idOf(charged))).toMatchObject({ id, status: 'CONFIRMED', take: 100 });
    expect([await countOf(shop, id), await countOf(shop, next.id)]).toEqual([1, 0]);
  });
});

test.each([
  ['is made again, where the other has given that promotion’s last place back', 1, '201', 1],
  ['was for nothing, where the promotion had a place all the time', 2, '409 PAYMENT_IN_PROGRESS', 0],
])('a claim on a one-time payment that another was paying %s', async (_name, maxPayments, answer, carried) => {
  await inTime(async () => {
    const shop = await testShop(services);
    const { id } = await shop.create({ maxPayments });
    const body = { amount: 900, description: 'Dos boletos' };
    const link = idOf(await shop.merchant.call({ method: 'POST', path: '/one-time-payment', body }));
    const pay = (number?: string) =>
      services.call('payments', {
        method: 'POST',
        path: `/one-time-payment/${link}/payment`,
        body: { card: cardBody(number), billingInformation: payer },
        caller: { kind: 'public' },
        headers: { 'x-forwarded-for': `10.9.7.${maxPayments}` },
      });
    const { paymentId: other } = (await pay(testCards.insufficientFunds)).body as { paymentId: string };
    const otherIs = (status: string, counted: number) => [
      sql`update payment set status = ${status} where id = ${other}`,
      counting(id, counted),
    ];
    const counted = maxPayments === 1 ? 1 : 0;
    const paid = await claimedBetween(id, () => pay(), {
      during: otherIs('PENDING', counted),
      after: otherIs('CANCELLED', 0),
    });
    expect(`${paid.status} ${(paid.body as { code?: string }).code ?? ''}`.trim()).toBe(answer);
    const made = await services.db('payments').many<{ id: string | null }>(sql`
      select rates -> 'promotion' ->> 'id' as id from payment where one_time_payment_id = ${link} and id <> ${other}`);
    expect(made).toEqual(carried === 1 ? [{ id }] : []);
    expect(await countOf(shop, id)).toBe(carried);
  });
});
