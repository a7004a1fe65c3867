import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { moveTo, moveToNoon, type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { until } from '@cobro/testing/until.ts';

let services: RunningServices;
let holds: TestHolds;
beforeAll(async () => {
  services = await startServices({
    services: ['payments', 'holds'],
    env: { DRAIN_DELAY_MS: '200', BANK_CALL_TIMEOUT_MS: '15000' },
  });
  await moveToNoon(services);
  holds = await testHolds(services);
});
afterAll(() => services?.stop());

const SLOW_MS = 2_500;
const slowly = (kind: string) => services.bank.setFaults({ next: [{ kind, fault: 'slow' }], slowMs: SLOW_MS });
const statusOf = async (id: string) =>
  (await services.db('holds').one<{ status: string }>(sql`select status from hold where payment_id = ${id}`)).status;
const begun = (id: string) =>
  until('the bank is asked', async () => {
    const open = sql`select id from bank_operation where subject_id = ${id} and status = 'open'`;
    return (await services.db('holds').many(open)).length === 1;
  });

describe('holds, asked to end,', () => {
  test('answers the captures that have begun, and exits with 0', async () => {
    const held = await Promise.all([holds.place(), holds.place()]);
    await services.bank.setFaults({ rates: { slow: 1 }, kinds: ['capture'], slowMs: SLOW_MS });
    const running = held.map((hold) => holds.capture(hold));
    await Promise.all(held.map(({ id }) => begun(id)));
    expect(await services.terminate('holds')).toBe(0);
    for (const answer of await Promise.all(running)) {
      expect(answer).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
    }
    await services.restart('holds');
    await services.bank.setFaults({});
  });

  test('writes down what the bank answers to a merchant who has left', async () => {
    const held = await holds.place();
    await slowly('void');
    const url = `${services.url('holds')}/payment-method/${holds.cardId}/payment/${held.id}/release`;
    const headers = { 'x-internal-token': await services.keys.token('gateway', holds.merchant.caller, 'holds') };
    const leaving = new AbortController();
    const left = fetch(url, { method: 'POST', headers, signal: leaving.signal });
    left.catch(() => {});
    await begun(held.id);
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    expect(await services.terminate('holds')).toBe(0);
    expect(await statusOf(held.id)).toBe('RELEASED');
    await services.restart('holds');
  });

  test('finishes the expiry that has begun', async () => {
    const held = await holds.place();
    await slowly('void');
    await moveTo(services, new Date(Date.parse(held.holdExpiresAt ?? '') + 11_000));
    await begun(held.id);
    expect(await services.terminate('holds')).toBe(0);
    expect(await statusOf(held.id)).toBe('EXPIRED');
    await services.restart('holds');
  });
});

test('what it published before it ended arrives: all agree', async () => {
  const [payments, ours] = [services.db('payments'), services.db('holds')];
  await expect(untilAgreed({ bankUrl: services.bank.url, payments, holds: ours })).resolves.toBeUndefined();
});
