import { createHash } from 'node:crypto';
import { sql } from '@cobro/postgres/database.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { cardBody, type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

let services: RunningServices;
let merchant: TestMerchant;
let card: string;

beforeAll(async () => {
  services = await startServices({ services: ['payments'] });
  merchant = await testMerchant(services);
  card = (await merchant.saveCard()).id;
});
afterAll(() => services.stop());

const NUMBER = testCards.approved;
const numberLike = [NUMBER, '3782-822463-10005', `order ${NUMBER}`, 'cvc 8467'];
const idOf = ({ body }: HttpAnswer) => (body as { id: string }).id;
const db = () => services.db('payments');
const countOf = async () =>
  (
    await db().one<{ rows: number }>(sql`
      select ((select count(*) from payment) + (select count(*) from one_time_payment) + (select count(*) from payment_method)
        + (select count(*) from bank_operation))::int as rows`)
  ).rows;

const kinds = {
  'POST /payment-method/{id}/payment': (externalId: string) => merchant.charge(card, { externalId }),
  'POST /payment-method': (externalId: string) =>
    merchant.call({ method: 'POST', path: '/payment-method', body: { card: cardBody(), externalId } }),
  'POST /one-time-payment': (externalId: string) =>
    merchant.call({ method: 'POST', path: '/one-time-payment', body: { amount: 900, description: 'Pan', externalId } }),
};
const routes = Object.entries(kinds);

describe('an externalId that looks like a card number', () => {
  test.each(routes)('is refused by %s while it is new, and nothing is stored', async (_, send) => {
    const before = await countOf();
    for (const externalId of numberLike) {
      const { status, body } = await send(externalId);
      expect({ status, body }).toEqual({
        status: 400,
        body: {
          code: 'VALIDATION_ERROR',
          message: 'externalId: must not contain a card number or security code: put a letter before it.',
          details: [
            { path: 'externalId', message: 'must not contain a card number or security code: put a letter before it' },
          ],
        },
      });
    }
    expect(await countOf()).toBe(before);
  });

  test.each(routes)('is taken by %s with a letter before it', async (_, send) => {
    expect((await send(`A${NUMBER}`)).status).toBe(201);
  });

  test.each(routes)('that has been stored is answered by %s as before', async (path, send) => {
    const first = await send('to be renamed');
    expect(first.status).toBe(201);
    await rename(idOf(first));
    const again = await send(NUMBER);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect({ path, status: again.status, id: idOf(again) }).toEqual({ path, status: 201, id: idOf(first) });
  });

  test('that has been stored is refused for another request, and is no way to charge again', async () => {
    const operations = (await services.bank.operations()).length;
    const other = await merchant.charge(card, { externalId: NUMBER, amount: 1 });
    expect(other).toMatchObject({ status: 409, body: { code: 'EXTERNAL_ID_MISMATCH' } });
    expect((await services.bank.operations()).length).toBe(operations);
  });

  test('is looked at after the card, 404, and with the rest of the body, 400', async () => {
    const unknown = await merchant.charge(crypto.randomUUID(), { externalId: NUMBER });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'PAYMENT_METHOD_NOT_FOUND' } });
    const malformed = await merchant.charge(card, { externalId: NUMBER, amount: -1 });
    expect(malformed).toMatchObject({ status: 400, body: { message: expect.stringContaining('amount') } });
  });
});

/** Makes the record look older than the check of externalIds. */
async function rename(id: string): Promise<void> {
  const digest = createHash('sha256')
    .update(JSON.stringify({ amount: '90000', description: 'Pan', externalId: NUMBER }))
    .digest();
  await db().run(sql`update payment set external_id = ${NUMBER} where id = ${id}`);
  await db().run(sql`update payment_method set external_id = ${NUMBER} where id = ${id}`);
  await db().run(sql`update one_time_payment set external_id = ${NUMBER}, request_digest = ${digest} where id = ${id}`);
}
