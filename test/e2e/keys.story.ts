import { setTimeout as sleep } from 'node:timers/promises';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from './client.ts';
import { runAdmin } from './operator.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** The promised time. Other tests run beside this one, so the quickest of some has to keep it, and each one the limit. */
const REVOKED_WITHIN_MS = 1_000;
const REVOKED_LIMIT_MS = 20_000;
/** And as often again where the machine was slow. */
const REVOCATIONS = 3;
const MOST_REVOCATIONS = 12;

/** What a key reaches and how it ends, and what is refused before any service is asked. Who may call what: who-may-call.story.ts. */
export function keys({ stack, broker, merchant, partner }: StackUnderTest): void {
  let card = '';
  let payment = '';

  beforeAll(async () => {
    card = await merchant().saveCard();
    payment = (await merchant().hold(card)).body.id;
  });
  afterAll(() => merchant().release(card, payment));

  test("a partner's key reaches its own organizations only, and naming another one refuses the request", async () => {
    const { organizationId, otherOrganizationId } = stack().merchants;
    const path = '/developer/payment?organizationId=';
    expect((await partner().send('GET', `${path}${organizationId}`)).status).toBe(200);
    const refused = await partner().send('GET', `${path}${organizationId}&organizationId=${otherOrganizationId}`);
    expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const unknown = await partner().send('GET', `${path}${crypto.randomUUID()}`);
    expect(unknown).toMatchObject({ status: 403, body: refused.body });
  });

  /** Milliseconds until a key that worked is refused. */
  const revoke = async () => {
    const create = ['keys', 'create', '--organization', stack().merchants.organizationId];
    const { id, key } = await runAdmin<{ id: string; key: string }>(stack(), ...create);
    const holder = merchant(key);
    expect((await holder.send('GET', '/payment-method')).status).toBe(200);
    await runAdmin(stack(), 'keys', 'revoke', '--id', id);
    const revoked = performance.now();
    while ((await holder.send('GET', '/payment-method')).status !== 401) {
      expect(performance.now() - revoked).toBeLessThan(REVOKED_LIMIT_MS);
      await sleep(20);
    }
    const ms = performance.now() - revoked;
    expect((await holder.charge(card)).status).toBe(401);
    return ms;
  };

  test('a revoked key is refused within a second, also while the broker is down', async () => {
    await broker.stop();
    try {
      const took: number[] = [];
      const isSlow = () => Math.min(...took) >= REVOKED_WITHIN_MS;
      while (took.length < REVOCATIONS || (isSlow() && took.length < MOST_REVOCATIONS)) took.push(await revoke());
      expect(Math.min(...took)).toBeLessThan(REVOKED_WITHIN_MS);
      expect((await merchant().send('GET', '/payment-method')).status).toBe(200);
    } finally {
      await broker.start();
    }
  });

  test('an unknown path and a wrong method say so, and a key comes before the body', async () => {
    for (const path of ['/nothing', '/payment-method/', '/internal/events', `/payment-method/${card}/payments`]) {
      expect(await merchant().send('GET', path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    const wrong = await merchant().send('PUT', `/payment-method/${card}`, { body: {} });
    expect(wrong).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
    expect(wrong.headers.get('allow')?.split(', ').toSorted()).toEqual(['DELETE', 'GET', 'HEAD']);
    const intent = { body: { amount: 1, currency: 'MXN', externalId: 'x' } };
    const stranger = createClient(stack().baseUrl, undefined);
    expect((await stranger.send('POST', '/payment-intent', intent)).status).toBe(401);
  });

  test('a body that is too large, of another type or no JSON is refused and charges nothing', async () => {
    const path = `/payment-method/${card}/payment`;
    const before = await merchant().send('GET', path);
    const huge = { amount: 10, description: 'x'.repeat(64 * 1024) };
    const tooLarge = await merchant().send('POST', path, { body: huge });
    expect(tooLarge).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
    const form = { body: 'amount=10', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const typed = await merchant().send('POST', path, form);
    expect(typed).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
    const broken = await merchant().send('POST', path, { body: '{"amount": 10' });
    expect(broken).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    const misspelt = await merchant().send('POST', `${path}/${payment}/capture`, { body: { ammount: 50 } });
    expect(misspelt).toMatchObject({ status: 400, body: { details: [{ path: 'ammount' }] } });
    expect((await merchant().send('GET', path)).body).toEqual(before.body);
  });

  test('every answer carries a request id, the given one where it is sane', async () => {
    const given = await merchant().send('GET', '/payment-method', { headers: { 'x-request-id': 'order-77' } });
    expect(given.headers.get('x-request-id')).toBe('order-77');
    const odd = await merchant().send('GET', '/payment-method', { headers: { 'x-request-id': '{"a": 1}' } });
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const refused = await createClient(stack().baseUrl, undefined).send('POST', '/payment-method', {
      body: { card: cardBody(testCards.approved) },
    });
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
}
