import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { payment, type Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { holdExpiresAt } from '@cobro/domain/hold-window.ts';
import { sql } from '@cobro/postgres/database.ts';
import { hearEvents, type HeardEvents } from '@cobro/testing/hear-events.ts';
import { nothingShown } from '@cobro/testing/nothing-shown.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';

let services: RunningServices;
let events: HeardEvents;
let merchant: TestMerchant;
let card: string;

beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'], env: { BANK_CALL_TIMEOUT_MS: '5000' } });
  events = await hearEvents(services.broker);
  merchant = await testMerchant(services);
  card = (await merchant.saveCard()).id;
});
afterAll(async () => {
  await events.close();
  await services.stop();
});

/** The body as the contract has it, no field more or less. */
const shown = (answer: HttpAnswer): Payment => payment.parse(answer.body);

const listed = async (of: TestMerchant, cardId: string) =>
  (await of.call({ path: `/payment-method/${cardId}/payment` })).body as { count: number; items: Payment[] };

/** The bank's money operations for this payment, found by our keys. */
async function atTheBank(paymentId: string) {
  const keys = await services
    .db('payments')
    .many<{ id: string }>(sql`select id from bank_operation where subject_id = ${paymentId}`);
  const known = new Set(keys.map(({ id }) => id));
  return (await services.bank.operations()).filter(({ idempotencyKey }) => known.has(idempotencyKey));
}

describe('a charge', () => {
  test('is confirmed, at the bank too, and published to everybody', async () => {
    const answer = await merchant.charge(card, { amount: 150.25, description: 'Café', externalId: 'order 1' });
    expect(answer.status).toBe(201);
    const charged = shown(answer);
    expect(charged).toEqual({
      ...nothingShown('merchant'),
      id: charged.id,
      status: 'CONFIRMED',
      amount: 150.25,
      currency: 'MXN',
      heldAmount: null,
      externalId: 'order 1',
      createdAt: charged.createdAt,
      heldAt: null,
      capturedAt: null,
      holdReleasedAt: null,
      holdExpiresAt: null,
      holdExpired: false,
      holdDaysRemaining: null,
    });
    expect(charged.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
    const [sale, ...more] = await atTheBank(charged.id);
    expect(sale).toMatchObject({ kind: 'sale', amount: 15_025, outcome: 'approved' });
    expect(more).toEqual([]);
    expect(await events.data('PaymentConfirmed', charged.id)).toMatchObject({
      organizationId: merchant.organizationId,
      paymentMethodId: card,
      amount: 15_025n,
      description: 'Café',
      externalId: 'order 1',
      confirmedAt: new Date(sale?.createdAt ?? 0),
      rates: { feeBps: 350, promotionFeeDiscountBps: 0, promotionBusinessTakeBps: 0 },
      card: { lastFourDigits: '4242', network: 'VISA', fundingSource: 'CREDIT', issuingBank: 'BBVA MEXICO' },
      transaction: { bankReference: sale?.reference, authResult: 'APPROVED', resultCode: '00' },
    });
    const path = `/payment-method/${card}/payment/${charged.id}`;
    expect((await merchant.call({ path })).body).toEqual(charged);
  });

  test('with holdFunds is a hold, which can be captured at once', async () => {
    const answer = await merchant.charge(card, { amount: 80, holdFunds: true });
    expect(answer.status).toBe(201);
    const held = shown(answer);
    const [authorization] = await atTheBank(held.id);
    expect(authorization).toMatchObject({ kind: 'authorize', amount: 8_000, outcome: 'approved' });
    const heldAt = authorization?.createdAt ?? '';
    expect(held).toMatchObject({ status: 'HELD', amount: 80, heldAmount: 80, heldAt, holdExpired: false });
    expect(held.holdExpiresAt).toBe(holdExpiresAt(new Date(heldAt)).toISOString());
    expect([6, 7]).toContain(held.holdDaysRemaining);
    expect(await events.data('HoldPlaced', held.id)).toMatchObject({ amount: 8_000n, heldAt: new Date(heldAt) });
    const path = `/payment-method/${card}/payment/${held.id}`;
    const captured = await merchant.call({ method: 'POST', path: `${path}/capture`, body: { amount: 30.5 } });
    expect(captured).toMatchObject({ status: 200, body: { status: 'CONFIRMED', amount: 30.5, heldAmount: 80 } });
    const read = async () => (await merchant.call({ path })).body as Payment;
    await until('payments follows', async () => (await read()).status === 'CONFIRMED');
    expect(await read()).toEqual(captured.body);
  });

  test('that the bank declines is kept as cancelled, and its externalId is spent', async () => {
    const broke = await merchant.saveCard(testCards.insufficientFunds);
    const body = { amount: 20, externalId: 'broke' };
    const answer = await merchant.charge(broke.id, body);
    const [attempt] = (await listed(merchant, broke.id)).items;
    expect(answer.status).toBe(402);
    expect(answer.body).toEqual({
      message: 'The charge was declined.',
      code: 'CHARGE_DECLINED',
      declineCode: 'insufficient_funds',
      paymentId: attempt?.id,
    });
    expect(attempt).toMatchObject({ status: 'CANCELLED', amount: 20, externalId: 'broke' });
    const declined = await events.data('PaymentDeclined', attempt?.id ?? '');
    expect(declined).toMatchObject({ declineCode: 'insufficient_funds', transaction: { authResult: 'DECLINED' } });

    const again = await merchant.charge(broke.id, { ...body, holdFunds: true });
    expect(again).toMatchObject({ status: 402, body: answer.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await atTheBank(attempt?.id ?? '')).toHaveLength(1);
    const mismatch = await merchant.charge(broke.id, { ...body, amount: 21 });
    expect(mismatch).toMatchObject({ status: 409, body: { code: 'EXTERNAL_ID_MISMATCH' } });
  });
});

describe('a bad charge is refused by name and changes nothing:', () => {
  const emoji = '🦊';
  test.each<[string, unknown, string[]]>([
    ['no body', undefined, ['amount']],
    ['an empty one', {}, ['amount']],
    ['a list', [], ['']],
    ['an amount of null', { amount: null }, ['amount']],
    ['a string', { amount: '100' }, ['amount']],
    ['true', { amount: true }, ['amount']],
    ['zero', { amount: 0 }, ['amount']],
    ['less', { amount: -1 }, ['amount']],
    ['three decimals', { amount: 10.005 }, ['amount']],
    ['less than a centavo', { amount: 0.001 }, ['amount']],
    ['an exponent', '{"amount":1e-7}', ['amount']],
    ['a float that is no amount', { amount: 0.1 + 0.2 }, ['amount']],
    ['one centavo too much', { amount: 1_000_000_000 }, ['amount']],
    ['a huge one', '{"amount":1e300}', ['amount']],
    ['more than any number', '{"amount":1E400}', ['amount']],
    ['minus zero', '{"amount":-0}', ['amount']],
    ['a digit that a double drops', '{"amount":1.0000000000000000001}', ['amount']],
    ['two amounts', '{"amount":1,"amount":2}', ['amount']],
    ['two amounts, one of them escaped', '{"amount":1,"\\u0061mount":1}', ['amount']],
    ['bytes that are no UTF-8', Buffer.from('{"amount":1,"externalId":"k\xe1"}', 'latin1'), ['']],
    ['malformed JSON', '{"amount":1,}', ['']],
    ['another currency', { amount: 1, currency: 'USD' }, ['currency']],
    ['a currency in small letters', { amount: 1, currency: 'mxn' }, ['currency']],
    ['holdFunds as text', { amount: 1, holdFunds: 'true' }, ['holdFunds']],
    ['a typo', { ammount: 50 }, ['amount', 'ammount']],
    ['an unknown field', { amount: 1, terms: 3 }, ['terms']],
    ['NUL', { amount: 1, description: 'a\0b' }, ['description']],
    ['NUL in the externalId', { amount: 1, externalId: '\0' }, ['externalId']],
    ['half a surrogate pair', '{"amount":1,"externalId":"\\ud83e"}', ['externalId']],
    ['a long externalId', { amount: 1, externalId: emoji.repeat(256) }, ['externalId']],
    ['a long description', { amount: 1, description: 'x'.repeat(501) }, ['description']],
    ['an externalId that is a number', { amount: 1, externalId: 7 }, ['externalId']],
    ['several things', { amount: -1, currency: 'EUR', tip: 1 }, ['amount', 'currency', 'tip']],
  ])('%s', async (_name, body, paths) => {
    const before = (await listed(merchant, card)).count;
    const path = `/payment-method/${card}/payment`;
    const answer = await merchant.call({ method: 'POST', path, body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    const { message, details } = answer.body as { message: string; details: { path: string; message: string }[] };
    expect(details.map((detail) => detail.path).toSorted()).toEqual(paths.toSorted());
    for (const detail of details)
      expect(message).toContain(detail.path ? `${detail.path}: ${detail.message}` : detail.message);
    expect((await listed(merchant, card)).count).toBe(before);
  });

  test.each(['[', '"text"', '{"amount":NaN}'])('what is no JSON object: %s', async (body) => {
    const answer = await merchant.call({ method: 'POST', path: `/payment-method/${card}/payment`, body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', details: [{ path: '' }] } });
  });

  test('no bad uuid comes further than its name', async () => {
    const answer = await merchant.charge('4242');
    const details = [{ path: 'id', message: 'must be a UUID' }];
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', details } });
  });
});

describe('what a charge takes:', () => {
  test.each([0.01, 0.1, 1, 4.35, 1.1, 150.25, 999_999_999.99])('an amount of %d, to the centavo', async (amount) => {
    const answer = await merchant.charge(card, { amount });
    expect(answer).toMatchObject({ status: 201, body: { amount } });
    const [sale] = await atTheBank(shown(answer).id);
    expect(sale?.amount).toBe(Number((amount * 100).toFixed(0)));
  });

  test.each(['1e2', '0.1E3', '100.00', '100.000000000000000000000000'])(
    'an amount of %s, which is 100',
    async (text) => {
      const path = `/payment-method/${card}/payment`;
      const answer = await merchant.call({ method: 'POST', path, body: `{"amount":${text}}` });
      expect(answer).toMatchObject({ status: 201, body: { amount: 100 } });
    },
  );

  test('null for every optional field, and MXN', async () => {
    const nothing = { currency: null, description: null, holdFunds: null, externalId: null };
    expect(await merchant.charge(card, nothing)).toMatchObject({ status: 201, body: { externalId: null } });
    expect(await merchant.charge(card, { currency: 'MXN' })).toMatchObject({ status: 201 });
  });

  test('an externalId of 255 code points, whatever they are', async () => {
    const externalId = '🦊'.repeat(255);
    const first = await merchant.charge(card, { externalId });
    expect(first).toMatchObject({ status: 201, body: { externalId } });
    expect((await merchant.charge(card, { externalId })).body).toEqual(first.body);
  });
});

describe('the order of checks of a charge', () => {
  test('first the card', async () => {
    expect(await merchant.charge(newId(), { amount: -1 })).toMatchObject(refusal(404, 'PAYMENT_METHOD_NOT_FOUND'));
  });

  test('then the body, the externalId, the state of the card, the fee channel', async () => {
    const feeless = await testMerchant(services, { fees: false });
    const revoked = await feeless.saveCard();
    const hold = await feeless.charge(revoked.id, { holdFunds: true, externalId: 'hold' });
    expect(hold.status).toBe(201);
    expect(await feeless.charge(revoked.id, { externalId: 'new' })).toMatchObject(refusal(409, 'FEE_CHANNEL_UNKNOWN'));
    await feeless.call({ method: 'DELETE', path: `/payment-method/${revoked.id}` });

    expect(await feeless.charge(revoked.id, { amount: 0, externalId: 'hold' })).toMatchObject(
      refusal(400, 'VALIDATION_ERROR'),
    );
    expect(await feeless.charge(revoked.id, { amount: 1, externalId: 'hold' })).toMatchObject(
      refusal(409, 'EXTERNAL_ID_MISMATCH'),
    );
    const replay = await feeless.charge(revoked.id, { externalId: 'hold' });
    expect(replay).toMatchObject({ status: 201, body: hold.body });
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(await feeless.charge(revoked.id, { externalId: 'new' })).toMatchObject(
      refusal(409, 'PAYMENT_METHOD_NOT_ACTIVE'),
    );
    expect(await feeless.charge(revoked.id)).toMatchObject(refusal(409, 'PAYMENT_METHOD_NOT_ACTIVE'));
    expect((await listed(feeless, revoked.id)).count).toBe(1);
  });

  test('a refusal spends no externalId', async () => {
    const feeless = await testMerchant(services, { fees: false });
    const { id } = await feeless.saveCard();
    expect(await feeless.charge(id, { externalId: 'later' })).toMatchObject(refusal(409, 'FEE_CHANNEL_UNKNOWN'));
    expect((await listed(feeless, id)).count).toBe(0);
    await services.db('payments').run(sql`
      insert into fee_channel (organization_id, type, network, terms, fee_bps)
      values (${feeless.organizationId}, 'CARD_NOT_PRESENT', 'VISA', 1, 200)`);
    expect(await feeless.charge(id, { amount: 7, externalId: 'later' })).toMatchObject({ status: 201 });
    const mastercard = await feeless.saveCard(testCards.mastercardDebit);
    expect(await feeless.charge(mastercard.id)).toMatchObject(refusal(409, 'FEE_CHANNEL_UNKNOWN'));
  });

  test('a hold without a fee channel is placed, and cannot be captured', async () => {
    const feeless = await testMerchant(services, { fees: false });
    const { id } = await feeless.saveCard();
    const hold = await feeless.charge(id, { holdFunds: true });
    expect(hold).toMatchObject({ status: 201, body: { status: 'HELD' } });
    const path = `/payment-method/${id}/payment/${shown(hold).id}/capture`;
    expect(await feeless.call({ method: 'POST', path })).toMatchObject(refusal(409, 'HOLD_CHANNEL_UNKNOWN'));
    expect(await events.data('HoldPlaced', shown(hold).id)).toMatchObject({ rates: null });
  });
});
