import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Payment } from '@cobro/contracts/payments.ts';
import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { testLinks, type TestLinks } from '@cobro/testing/test-links.ts';
import { testSubscriptions } from '@cobro/testing/test-subscriptions.ts';
import { until } from '@cobro/testing/until.ts';

jest.setTimeout(120_000);

let services: RunningServices;
let links: TestLinks;
let card: string;
const db = () => services.db('payments');
beforeAll(async () => {
  services = await startServices({ services: ['payments'], env: { BANK_CALL_TIMEOUT_MS: '8000' } });
  links = await testLinks(services);
  card = (await links.merchant.saveCard()).id;
});
afterAll(() => services.stop());

const SLOW_MS = 5_000;
/** More than the connections of requests: whoever needs one waits behind them for too long. */
const READERS = 40;

interface AtTheBank {
  id: string;
  subject: string;
}

/** Asks something of the bank whose answer is slow. When it comes, requests have no connection left to read anything. */
async function answeredUnread(
  kind: 'sale' | 'refund',
  ask: () => Promise<HttpAnswer>,
  meanwhile: (one: AtTheBank) => Promise<unknown> = async () => {},
): Promise<HttpAnswer> {
  await services.bank.setFaults({ next: [{ kind, fault: 'slow' }], slowMs: SLOW_MS });
  const answered = new AbortController();
  const answer = ask().finally(() => answered.abort());
  let open: AtTheBank[] = [];
  await until('it is at the bank', async () => {
    open = await db().many<AtTheBank>(sql`select id, subject_id as subject from bank_operation where status = 'open'`);
    return open.length > 0;
  });
  await meanwhile(open[0] as AtTheBank);
  const read = async () => {
    while (!answered.signal.aborted) await links.merchant.call({ path: `/payment-method/${card}` });
  };
  let reading: Promise<unknown> = Promise.resolve();
  await db().inTransaction(async (tx) => {
    await tx.many(sql`lock table payment_method in access exclusive mode`);
    reading = Promise.all(Array.from({ length: READERS }, read));
    while (!answered.signal.aborted) {
      await sleep(200);
      await tx.one(sql`select 1 as one`);
    }
  });
  await reading;
  return answer;
}

/** What an inquiry writes down that learns of an approval before we do. */
const inquired =
  (status: 'CONFIRMED' | 'REFUNDED') =>
  async ({ id, subject }: AtTheBank) => {
    await db().run(sql`
      update bank_operation set status = 'approved', answer = '{"outcome":"approved"}', settled_at = clock_timestamp() where id = ${id}`);
    await db().run(sql`
      update payment set status = ${status}, bank_reference = 'theirs', version = version + 1 where id = ${subject}`);
  };

test('a charge that an inquiry has settled and nobody can read is 202, as it was claimed', async () => {
  const charge = () => links.merchant.charge(card, { amount: 70 });
  const answer = await answeredUnread('sale', charge, inquired('CONFIRMED'));
  expect(answer).toMatchObject({ status: 202, body: { status: 'PENDING', amount: 70 } });
  const { id } = answer.body as Payment;
  const read = await links.merchant.call({ path: `/payment-method/${card}/payment/${id}` });
  expect(read).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
});

test('so is a payment at a checkout', async () => {
  const link = await links.create();
  expect(await answeredUnread('sale', () => links.pay(link), inquired('CONFIRMED'))).toMatchObject({ status: 202 });
});

test('so is a refund', async () => {
  const { id } = (await links.merchant.charge(card)).body as Payment;
  const refund = () => links.merchant.call({ method: 'POST', path: `/payment-method/${card}/payment/${id}/refund` });
  const answer = await answeredUnread('refund', refund, inquired('REFUNDED'));
  expect(answer).toMatchObject({ status: 202, body: { id, status: 'CONFIRMED' } });
});

test('so is a period that is collected by hand', async () => {
  const subs = await testSubscriptions(services, { merchant: links.merchant });
  const made = await subs.create({ periodicity: 'WEEKLY' });
  await subs.act(made, 'pause');
  await subs.moveTo(new Date(services.now().getTime() + 8 * 86_400_000));
  const collect = () => subs.act(made, 'period/2/charge');
  const answer = await answeredUnread('sale', collect, inquired('CONFIRMED'));
  expect(answer).toMatchObject({ status: 202, body: { status: 'PENDING' } });
});

test('a subscription whose first charge was approved and that nobody can read is 201, as the charge has left it', async () => {
  const subs = await testSubscriptions(services, { merchant: links.merchant });
  const paymentMethodId = (await subs.card()).id;
  const answer = await answeredUnread('sale', () => subs.post({ paymentMethodId }));
  expect(answer).toMatchObject({
    status: 201,
    body: { status: 'ACTIVE', currentPeriod: { number: 1, status: 'PAID' } },
  });
  const made = answer.body as Subscription;
  expect(await subs.get(made)).toEqual({ ...made, updatedAt: expect.any(String) });
});
