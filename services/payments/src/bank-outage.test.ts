import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { OffsetList } from '@cobro/contracts/paging.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { cardBody, type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';

describe('while the bank cannot be reached', () => {
  let services: RunningServices;
  let merchant: TestMerchant;
  let card: string;
  let charged: Payment;

  beforeAll(async () => {
    services = await startServices({ services: ['payments'] });
    merchant = await testMerchant(services);
    card = (await merchant.saveCard()).id;
    charged = (await merchant.charge(card)).body as Payment;
    await services.bank.kill();
  });
  afterAll(() => services.stop());

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

  test('a card is not saved and a payment not refunded', async () => {
    expectUnavailable(await save('down'));
    expect((await merchant.call({ path: '/payment-method' })).body).toMatchObject({ count: 1 });
    expectUnavailable(await refund());
    expect((await payments()).items).toMatchObject([{ id: charged.id, status: 'CONFIRMED' }]);
  });

  test('nothing is spent: all of it works when the bank is back', async () => {
    await services.bank.start();
    const another = { amount: 12.5, externalId: 'down', holdFunds: true };
    const answers = await Promise.all(Array.from({ length: 10 }, () => merchant.charge(card, another)));
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
      'tokenize',
      'tokenize',
    ]);
  });
});
