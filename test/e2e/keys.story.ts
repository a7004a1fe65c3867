import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { createClient } from './client.ts';
import { runAdmin } from './operator.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** The promised time. Other tests run beside this one, so only the quickest of some must keep it, and each the limit. */
const REVOKED_WITHIN_MS = 1_000;
const REVOKED_LIMIT_MS = 20_000;
/** More, up to this number, if the machine was slow. */
const REVOCATIONS = 3;
const MOST_REVOCATIONS = 12;

/** What a key reaches and how it ends. For who may call what, see who-may-call.story.ts. */
export function keys({ stack, broker, merchant, partner }: StackUnderTest): void {
  let card = '';

  beforeAll(async () => {
    card = await merchant().saveCard();
  });

  test("a partner's key reaches its own organizations only, and naming another one refuses the request", async () => {
    const { organizationId, otherOrganizationId } = stack().merchants;
    const path = '/developer/payment?organizationId=';
    expect((await partner().send('GET', `${path}${organizationId}`)).status).toBe(200);
    const refused = await partner().send('GET', `${path}${organizationId}&organizationId=${otherOrganizationId}`);
    expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const unknown = await partner().send('GET', `${path}${crypto.randomUUID()}`);
    expect(unknown).toMatchObject({ status: 403, body: refused.body });
  });

  /** Revokes a working key. Returns the milliseconds until it is refused. */
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

  test('what is refused for want of a key has a request id too', async () => {
    const refused = await createClient(stack().baseUrl, undefined).send('GET', '/payment-method');
    expect(refused).toMatchObject({ status: 401 });
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
}
