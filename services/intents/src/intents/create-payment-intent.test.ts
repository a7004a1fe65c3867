import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type HeardEvents, hearEvents } from '@cobro/testing/hear-events.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestIntents, testIntents } from '@cobro/testing/test-intents.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

let services: RunningServices;
let intents: TestIntents;
let other: TestIntents;
let heard: HeardEvents;
beforeAll(async () => {
  services = await startServices({ services: ['intents'] });
  [intents, other] = [await testIntents(services, false), await testIntents(services, false)];
  heard = await hearEvents(services.broker);
});
afterAll(async () => {
  await heard?.close();
  await services?.stop();
});

const stateOf = async (intent: { id: string }) =>
  (await intents.read(intent)).body as { status: string; expired: boolean };

describe('creating an intent', () => {
  test('answers the intent, and names the terminal where one was named', async () => {
    const terminal = await intents.terminal();
    const externalId = newId();
    const sent = { amount: 150.25, externalId, terminalCode: terminal.code, redirectAppId: 'mx.tacuba.pos' };
    const { status, body } = await intents.request(sent);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      status: 'PENDING',
      amount: 150.25,
      currency: 'MXN',
      externalId,
      redirectAppId: 'mx.tacuba.pos',
      organizationId: intents.merchant.organizationId,
      terminalId: terminal.id,
      createdAt: expect.any(String),
      updatedAt: (body as { createdAt: string }).createdAt,
    });
    const anyTerminal = await intents.create();
    expect(Object.keys(anyTerminal)).not.toContain('terminalId');
    expect(await intents.read(anyTerminal)).toMatchObject({
      status: 200,
      body: { id: anyTerminal.id, status: 'PENDING', expired: false },
    });
  });

  test.each<[object, string]>([
    [{ amount: undefined }, 'amount: is required'],
    [{ currency: undefined }, 'currency: must be MXN'],
    [{ externalId: undefined }, 'externalId: is required'],
    [{ externalId: '' }, 'externalId: must not be empty'],
    [{ amount: 0 }, 'amount: must be from 0.01'],
    [{ currency: 'USD' }, 'currency: must be MXN'],
    [{ redirectAppId: 'x'.repeat(256) }, 'redirectAppId: must have at most 255 characters'],
    [{ terminal: 'x' }, 'terminal: is not a known field'],
  ])('refuses %j', async (body, message) => {
    expect(await intents.request(body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', message: expect.stringContaining(message) },
    });
  });

  test('for a terminal that is unknown, or another merchant’s, is 404', async () => {
    const foreign = await other.terminal();
    expect(await intents.request({ terminalCode: 'SN-none' })).toMatchObject(refusal(404, 'TERMINAL_NOT_FOUND'));
    expect(await intents.request({ terminalCode: foreign.code })).toMatchObject(refusal(404, 'TERMINAL_NOT_FOUND'));
  });

  test('again under its externalId answers the same intent; another request under it is refused', async () => {
    const { code: terminalCode } = await intents.terminal();
    const sent = { externalId: newId(), terminalCode };
    const first = await intents.create(sent);
    const again = await intents.request(sent);
    expect(again).toMatchObject({ status: 201, body: { id: first.id } });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    for (const change of [{ amount: 251 }, { terminalCode: null }]) {
      expect(await intents.request({ ...sent, ...change })).toMatchObject(refusal(409, 'EXTERNAL_ID_MISMATCH'));
    }
    // An externalId is unique per merchant: another merchant may use the same one.
    expect(await other.request({ externalId: sent.externalId })).toMatchObject({ status: 201 });
  });

  test('refuses an externalId that looks like a card number while it is new, and answers one that is stored', async () => {
    const number = '4242 4242 4242 4242';
    expect(await intents.request({ externalId: number, terminalCode: 'SN-none' })).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_ERROR',
        message: 'externalId: must not contain a card number or security code: put a letter before it.',
      },
    });
    const first = await intents.create({ externalId: `A${number}` });
    // Gives the row an externalId from before card numbers were refused.
    await services.db('intents').run(sql`update payment_intent set external_id = ${number} where id = ${first.id}`);
    const again = await intents.request({ externalId: number });
    expect(again).toMatchObject({ status: 201, body: { id: first.id, externalId: number } });
    expect(await intents.request({ externalId: number, amount: 251 })).toMatchObject(
      refusal(409, 'EXTERNAL_ID_MISMATCH'),
    );
  });

  test('is seen by its merchant only', async () => {
    const intent = await intents.create();
    expect(await other.read(intent)).toMatchObject(refusal(404, 'PAYMENT_INTENT_NOT_FOUND'));
    expect(await other.cancel(intent)).toMatchObject(refusal(404, 'PAYMENT_INTENT_NOT_FOUND'));
    expect(await intents.read({ id: newId() })).toMatchObject(refusal(404, 'PAYMENT_INTENT_NOT_FOUND'));
  });
});

describe('superseding', () => {
  test('a new intent for a terminal cancels the pending one, and publishes both', async () => {
    const { code: terminalCode, id: terminalId } = await intents.terminal();
    const first = await intents.create({ terminalCode });
    const elsewhere = await intents.create();
    const second = await intents.create({ terminalCode });
    expect(await stateOf(first)).toMatchObject({ status: 'CANCELLED', expired: false });
    expect(await stateOf(elsewhere)).toMatchObject({ status: 'PENDING' });
    expect(await stateOf(second)).toMatchObject({ status: 'PENDING' });
    expect(await heard.data('IntentSuperseded', first.id)).toMatchObject({ terminalId, supersededBy: second.id });
  });

  test('a request that is repeated, or refused, supersedes nothing', async () => {
    const { code: terminalCode } = await intents.terminal();
    const sent = { externalId: newId(), terminalCode };
    await intents.create(sent);
    const open = await intents.create({ terminalCode });
    await intents.request(sent);
    await intents.request({ ...sent, amount: 1 });
    expect(await stateOf(open)).toMatchObject({ status: 'PENDING' });
  });

  test('of twenty that come at once under one externalId one is made, and what it took the place of was cancelled once', async () => {
    const { code: terminalCode } = await intents.terminal();
    const before = await intents.create({ terminalCode });
    const sent = { externalId: newId(), terminalCode };
    const answers = await Promise.all(Array.from({ length: 20 }, () => intents.request(sent)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${(body as { id: string }).id}`)).size).toBe(1);
    const [first] = answers as [HttpAnswer];
    expect(await stateOf(first.body as { id: string })).toMatchObject({ status: 'PENDING' });
    await heard.data('IntentSuperseded', before.id);
    expect(heard.of(before.id)).toHaveLength(1);
  });
});

describe('an intent whose time has passed', () => {
  test('is expired by the clock, can be cancelled until the job has closed it, and IntentExpired says so', async () => {
    const intent = await intents.create();
    await services.moveClock(15 * 60_000);
    expect(await stateOf(intent)).toMatchObject({ expired: true });
    await until('the intent is closed', async () => (await stateOf(intent)).status === 'CANCELLED');
    expect(await stateOf(intent)).toEqual({ id: intent.id, status: 'CANCELLED', expired: true });
    await heard.data('IntentExpired', intent.id);
    expect(await intents.cancel(intent)).toMatchObject({ status: 200, body: {} });
    const { count } = await services.db('intents').one<{ count: bigint }>(sql`
      select count(*) from payment_intent where status = 'PENDING' and expires_at < ${services.now()}`);
    expect(count).toBe(0n);
  });
});

describe('cancelling', () => {
  test('is once and for all, and repeating it changes nothing', async () => {
    const intent = await intents.create();
    expect(await intents.cancel(intent)).toMatchObject({ status: 200, body: {} });
    expect(await intents.cancel(intent)).toMatchObject({ status: 200, body: {} });
    expect(await stateOf(intent)).toMatchObject({ status: 'CANCELLED' });
    expect(await heard.data('IntentCancelled', intent.id)).toMatchObject({ cancelledBy: 'MERCHANT', reason: null });
    expect(heard.of(intent.id)).toHaveLength(1);
  });
});
