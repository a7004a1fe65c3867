import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { OffsetList } from '@cobro/contracts/paging.ts';
import type { PaymentMethod } from '@cobro/contracts/payment-methods.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAtTheBank, untilBankIsBack } from '@cobro/testing/at-the-bank.ts';
import { hearEvents } from '@cobro/testing/hear-events.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { proxyTo, type TcpProxy } from '@cobro/testing/tcp-proxy.ts';
import { testBrokerNames } from '@cobro/testing/test-broker.ts';
import { cardBody, type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { testSubscriptions } from '@cobro/testing/test-subscriptions.ts';
import { until } from '@cobro/testing/until.ts';

let services: RunningServices;
let proxy: TcpProxy;
let merchant: TestMerchant;
let card: string;

beforeAll(async () => {
  proxy = await proxyTo(testBrokerNames().url);
  await proxy.restore();
  services = await startServices({
    services: ['payments'],
    env: { AMQP_URL: proxy.url, BANK_CALL_TIMEOUT_MS: '8000' },
  });
  merchant = await testMerchant(services);
  card = (await merchant.saveCard()).id;
});
afterAll(async () => {
  await services.stop();
  await proxy.cut();
});

const isReady = async () => (await services.call('payments', { path: '/health/ready' })).status === 200;
const read = async (id: string) =>
  (await merchant.call({ path: `/payment-method/${card}/payment/${id}` })).body as Payment;

describe('while the bank cannot be reached', () => {
  let charged: Payment;
  let rich: Payment;
  let richMerchant: TestMerchant;
  let richCard: string;
  beforeAll(async () => {
    charged = (await merchant.charge(card)).body as Payment;
    richMerchant = await testMerchant(services);
    richCard = (await richMerchant.saveCard()).id;
    rich = (await richMerchant.charge(richCard, { amount: 100_000 })).body as Payment;
    await services.bank.kill();
  });

  const expectUnavailable = (answer: HttpAnswer) => {
    expect(answer).toMatchObject({ status: 503, body: { code: 'BANK_UNAVAILABLE' } });
    expect(answer.headers.get('retry-after')).toBe('1');
  };
  const payments = async () =>
    (await merchant.call({ path: `/payment-method/${card}/payment` })).body as OffsetList<Payment>;
  const save = (externalId: string) =>
    merchant.call({ method: 'POST', path: '/payment-method', body: { externalId, card: cardBody() } });
  const refund = () => merchant.call({ method: 'POST', path: `/payment-method/${card}/payment/${charged.id}/refund` });

  test('a charge is refused, to duplicates too, and is in no list', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => merchant.charge(card, { externalId: 'down' })));
    for (const answer of answers) expectUnavailable(answer);
    expectUnavailable(await merchant.charge(card));
    expect(await payments()).toMatchObject({ count: 1, items: [{ id: charged.id }] });
    const rows = await services.db('payments').many<{ id: string; status: string }>(sql`
      select id, status from payment where external_id = 'down'`);
    expect(rows).toMatchObject([{ status: 'NOT_INITIALIZED' }]);
    const hidden = await merchant.call({ path: `/payment-method/${card}/payment/${rows[0]?.id}` });
    expect(hidden).toMatchObject({ status: 404, body: { code: 'PAYMENT_NOT_FOUND' } });
    const filtered = await merchant.call({ path: `/payment-method/${card}/payment?status=NOT_INITIALIZED` });
    expect(filtered.body).toMatchObject({ count: 0, items: [] });
  });

  test('the bank is away: nothing more is written down for it, and reads go on', async () => {
    const operations = async () => {
      const count = sql`select count(*)::int as count from bank_operation`;
      return (await services.db('payments').one<{ count: number }>(count)).count;
    };
    const before = await operations();
    await until('readiness says so', async () => {
      const { body } = await services.call('payments', { path: '/health/ready' });
      return JSON.stringify(body).includes('"degraded":["bank_away"]');
    });
    for (let i = 0; i < 2; i++) {
      // Either refund would be the last that people of this organization may make in this hour.
      expectUnavailable(
        await services.call('payments', {
          method: 'POST',
          path: `/payment-method/${richCard}/payment/${rich.id}/refund`,
          caller: {
            kind: 'merchant',
            by: { kind: 'person', id: newId() },
            organizationId: richMerchant.organizationId,
          },
        }),
      );
    }
    expectUnavailable(await merchant.charge(card, { externalId: 'away' }));
    expectUnavailable(await save('away'));
    expectUnavailable(await refund());
    expect(await operations()).toBe(before);
    const rows = sql`
      select id from payment where external_id = 'away' union all
      select id from payment_method where external_id = 'away'`;
    expect(await services.db('payments').many(rows)).toEqual([]);
    expect(await read(charged.id)).toMatchObject({ status: 'CONFIRMED' });
    expect(services.logs('payments').match(/"event":"bank_away"/g)).toHaveLength(1);
  });

  test('a card is not saved and a payment not refunded', async () => {
    expectUnavailable(await save('down'));
    expect((await merchant.call({ path: '/payment-method' })).body).toMatchObject({ count: 1 });
    expectUnavailable(await refund());
    expect((await payments()).items).toMatchObject([{ id: charged.id, status: 'CONFIRMED' }]);
  });

  test('nothing is spent: all of it works when the bank is back', async () => {
    await services.bank.start();
    await untilBankIsBack(services, 'payments');
    const another = { amount: 12.5, externalId: 'down', holdFunds: true };
    const charge = async () => {
      let answer = await merchant.charge(card, another);
      // On a slow machine, some are answered that the charge is in progress, or that their turn did not come.
      await until('it has an outcome', async () => {
        if ([409, 503].includes(answer.status)) answer = await merchant.charge(card, another);
        return ![409, 503].includes(answer.status);
      });
      return answer;
    };
    const answers = await Promise.all(Array.from({ length: 10 }, charge));
    const ids = new Set(answers.map(({ body }) => (body as Payment).id));
    expect(ids.size).toBe(1);
    for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: { status: 'HELD', amount: 12.5 } });
    expect(await merchant.charge(card, { externalId: newId() })).toMatchObject({ status: 201 });
    expect(await save('down')).toMatchObject({ status: 201, body: { status: 'ACTIVE' } });
    expect(await refund()).toMatchObject({ status: 200, body: { status: 'REFUNDED' } });
    const kinds = (await services.bank.operations()).map(({ kind }) => kind);
    expect(kinds.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'authorize',
      'refund',
      'sale',
      'sale',
      'sale',
      'tokenize',
      'tokenize',
      'tokenize',
    ]);
  });
});

describe('while the broker cannot be reached', () => {
  test('charges go on, and their events leave when it is back', async () => {
    const events = await hearEvents(services.broker);
    await proxy.cut();
    const charges = await Promise.all([1, 2, 3].map((amount) => merchant.charge(card, { amount })));
    for (const { status } of charges) expect(status).toBe(201);
    await until('it is ready', isReady);
    await proxy.restore();
    for (const { body } of charges) {
      const { id } = body as Payment;
      expect(await events.data('PaymentConfirmed', id)).toMatchObject({ paymentId: id });
      expect(events.of(id)).toHaveLength(1);
    }
    await events.close();
  });
});

describe('while the database cannot be reached', () => {
  /** Limits the connections of services; administrators can always connect. */
  const allowConnections = (limit: 0 | -1) =>
    services.db('payments').inTransaction(async (tx) => {
      await tx.one(sql`
        select set_config('test.command', format('alter database %I connection limit %s', current_database(), ${limit}::int), true)`);
      await tx.run(sql`do $$ begin execute current_setting('test.command'); end $$`);
      await tx.many(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename <> current_user and ${limit}::int = 0`);
    });

  test('nothing is charged, and what the bank was asked before is settled later', async () => {
    card = (await merchant.saveCard()).id;
    await services.bank.setFaults({ next: [{ kind: 'sale', fault: 'held' }] });
    const running = merchant.charge(card, { externalId: 'asked before' });
    await untilAtTheBank(services, 'payments');
    await allowConnections(0);
    await services.bank.setFaults({});
    const asked = await running;
    expect(asked).toMatchObject({ status: 202, body: { status: 'PENDING' } });
    await until('it is not ready', async () => !(await isReady()));
    expect((await merchant.charge(card, { externalId: 'asked while' })).status).toBeGreaterThanOrEqual(500);
    await allowConnections(-1);

    const { id } = asked.body as Payment;
    await until('the charge is settled', async () => (await read(id)).status === 'CONFIRMED');
    await until('it is ready', isReady);
    const list = (await merchant.call({ path: `/payment-method/${card}/payment` })).body as OffsetList<Payment>;
    expect(list.items.map((item) => item.id)).toEqual([id]);
    const sales = (await services.bank.operations()).filter(
      ({ createdAt }) => createdAt >= (list.items[0]?.createdAt ?? ''),
    );
    expect(sales).toMatchObject([{ kind: 'sale', outcome: 'approved' }]);
  });

  test('a subscription whose first charge the bank was asked for is a 202, so that nobody makes it again', async () => {
    const subs = await testSubscriptions(services);
    const product = await subs.merchant.call({ method: 'POST', path: '/product', body: { name: 'Plan', price: 50 } });
    const { id: productId } = product.body as { id: string };
    const { id: paymentMethodId } = await subs.card();
    await services.bank.setFaults({ next: [{ kind: 'sale', fault: 'held' }] });
    const posting = subs.post({ paymentMethodId, productId });
    await untilAtTheBank(services, 'payments');
    await allowConnections(0);
    await services.bank.setFaults({});
    const answer = await posting;
    await allowConnections(-1);
    expect(answer).toMatchObject({ status: 202, body: { status: 'PENDING', currentPeriod: { status: 'OPEN' } } });
    const made = answer.body as Subscription;
    expect(answer.headers.get('location')).toBe(`/api/subscription/${made.id}`);
    await until('it is ready', isReady);
    const active = await subs.becomes(made, { status: 'ACTIVE' });
    const { currentPeriod, updatedAt } = active;
    expect(active).toEqual({ ...made, status: 'ACTIVE', currentPeriod, updatedAt });
    expect(await subs.payments(made)).toMatchObject([{ status: 'CONFIRMED' }]);
  });
});

describe('while the database breaks off', () => {
  const save = (externalId: string) =>
    merchant.call({ method: 'POST', path: '/payment-method', body: { externalId, card: cardBody() } });
  /** A change of a saved card breaks its connection off. */
  const breakOff = () =>
    services.db('payments').run(sql`
      create function break_off() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`);
  const watchCards = () =>
    services.db('payments').run(sql`
      create trigger break_off before update or delete on payment_method for each row execute function break_off()`);
  const leaveCards = () => services.db('payments').run(sql`drop trigger break_off on payment_method`);

  test('a card that the bank refuses in that moment is answered by a 202, and becomes REVOKED', async () => {
    await breakOff();
    await watchCards();
    await services.bank.setFaults({ next: [{ kind: 'tokenize', fault: 'decline' }] });
    const answer = await save('refused then');
    expect(answer).toMatchObject({ status: 202, body: { status: 'PENDING' } });
    await leaveCards();
    const path = answer.headers.get('location')?.replace('/api', '') ?? '';
    await until('it is settled', async () => {
      const { status, body } = await merchant.call({ path });
      expect(status).toBe(200);
      return (body as PaymentMethod).status === 'REVOKED';
    });
    const again = await save('refused then');
    expect(again).toMatchObject({ status: 201, body: { status: 'ACTIVE' } });
    expect((again.body as PaymentMethod).id).not.toBe((answer.body as PaymentMethod).id);
  });
});
