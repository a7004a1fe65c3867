import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { sql } from '@cobro/postgres/database.ts';
import { answeredUnread, type AtTheBank, inquiredFirst } from '@cobro/testing/answered-unread.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { testLinks, type TestLinks } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { testSubscriptions } from '@cobro/testing/test-subscriptions.ts';

let services: RunningServices;
let links: TestLinks;
let card: string;
beforeAll(async () => {
  services = await startServices({ services: ['payments'], env: { BANK_CALL_TIMEOUT_MS: '8000' } });
  links = await testLinks(services);
  card = (await links.merchant.saveCard()).id;
});
afterAll(() => services.stop());

const unread = (
  kind: 'tokenize' | 'sale' | 'refund',
  ask: () => Promise<HttpAnswer>,
  meanwhile?: (one: AtTheBank) => Promise<unknown>,
) => {
  const path = `/promotion/${newId()}`;
  const waiting = { table: 'promotion', by: () => links.merchant.call({ path }) };
  return answeredUnread(services, 'payments', { kind, ask, waiting, meanwhile });
};

const inquired = (status: 'CONFIRMED' | 'REFUNDED') => async (one: AtTheBank) => {
  await inquiredFirst(services, 'payments', one);
  await services.db('payments').run(sql`
    update payment set status = ${status}, bank_reference = 'theirs', version = version + 1 where id = ${one.subject}`);
};

test('a charge that an inquiry has settled and nobody can read is 202, as it was claimed', async () => {
  const charge = () => links.merchant.charge(card, { amount: 70 });
  const answer = await unread('sale', charge, inquired('CONFIRMED'));
  expect(answer).toMatchObject({ status: 202, body: { status: 'PENDING', amount: 70 } });
  const { id } = answer.body as Payment;
  const read = await links.merchant.call({ path: `/payment-method/${card}/payment/${id}` });
  expect(read).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
});

test('so is a payment at a checkout', async () => {
  const link = await links.create();
  expect(await unread('sale', () => links.pay(link), inquired('CONFIRMED'))).toMatchObject({ status: 202 });
});

test('so is a refund', async () => {
  const { id } = (await links.merchant.charge(card)).body as Payment;
  const refund = () => links.merchant.call({ method: 'POST', path: `/payment-method/${card}/payment/${id}/refund` });
  const answer = await unread('refund', refund, inquired('REFUNDED'));
  expect(answer).toMatchObject({ status: 202, body: { id, status: 'CONFIRMED' } });
});

test('so is a card that is saved', async () => {
  const save = () => links.merchant.call({ method: 'POST', path: '/payment-method', body: { card: cardBody() } });
  const answer = await unread('tokenize', save, (one) => inquiredFirst(services, 'payments', one));
  expect(answer).toMatchObject({ status: 202, body: { status: 'PENDING' } });
});

test('so is a period that is collected by hand', async () => {
  const subs = await testSubscriptions(services, { merchant: links.merchant });
  const made = await subs.create({ periodicity: 'WEEKLY' });
  await subs.act(made, 'pause');
  await subs.moveTo(new Date(services.now().getTime() + 8 * 86_400_000));
  const collect = () => subs.act(made, 'period/2/charge');
  const answer = await unread('sale', collect, inquired('CONFIRMED'));
  expect(answer).toMatchObject({ status: 202, body: { status: 'PENDING' } });
});

test('a subscription whose first charge was approved and that nobody can read is 201, as the charge has left it', async () => {
  const subs = await testSubscriptions(services, { merchant: links.merchant });
  const paymentMethodId = (await subs.card()).id;
  const answer = await unread('sale', () => subs.post({ paymentMethodId }));
  expect(answer).toMatchObject({
    status: 201,
    body: { status: 'ACTIVE', currentPeriod: { number: 1, status: 'PAID' } },
  });
  const made = answer.body as Subscription;
  expect(await subs.get(made)).toEqual({ ...made, updatedAt: expect.any(String) });
});
