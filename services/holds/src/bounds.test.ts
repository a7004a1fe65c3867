import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Payment } from '@cobro/contracts/payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { untilAtTheBank } from '@cobro/testing/at-the-bank.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { moveTo, moveToNoon, type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { until } from '@cobro/testing/until.ts';

const CALL_TIMEOUT_MS = 12_000;

let services: RunningServices;
let holds: TestHolds;
beforeAll(async () => {
  services = await startServices({
    services: ['payments', 'holds'],
    env: { BANK_CALL_TIMEOUT_MS: String(CALL_TIMEOUT_MS), BANK_CALLS: '2', BANK_CALLS_PER_CARD: '1' },
  });
  await moveToNoon(services);
  holds = await testHolds(services);
});
afterAll(() => services.stop());

const expectUnavailable = (answer: HttpAnswer) => {
  expect(answer).toMatchObject(refusal(503, 'BANK_UNAVAILABLE'));
  expect(answer.headers.get('retry-after')).toBe('1');
};
const operations = async () =>
  (await services.db('holds').one<{ count: number }>(sql`select count(*)::int as count from bank_operation`)).count;
const statusOf = async (held: Payment) => (await holds.read(held)).status;

/** Starts a capture that the bank does not answer until the test lets it. */
async function captureSlowly(held: Payment) {
  await services.bank.setFaults({ next: [{ kind: 'capture', fault: 'held' }] });
  const running = holds.capture(held);
  await untilAtTheBank(services, 'holds');
  return {
    end: async () => {
      await services.bank.setFaults({});
      expect(await running).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
    },
  };
}

describe('where no permit is left', () => {
  test('captures and releases are refused and the holds stay as they are; refusals come first', async () => {
    const [slow, held, captured] = [await holds.place(), await holds.place(), await holds.place()];
    const otherCard = await holds.merchant.saveCard();
    const other = await holds.place({}, otherCard.id);
    expect(await holds.capture(captured)).toMatchObject({ status: 200 });
    const running = await captureSlowly(slow);
    const before = await operations();
    expectUnavailable(await holds.capture(held));
    expectUnavailable(await holds.release(held));
    expect(await operations()).toBe(before);
    expect(await statusOf(held)).toBe('HELD');
    expect(await holds.capture(captured)).toMatchObject(refusal(409, 'PAYMENT_NOT_HELD'));
    expect(await holds.capture(held, { amount: 1_000 })).toMatchObject(refusal(400, 'CAPTURE_AMOUNT_EXCEEDS_HOLD'));
    expect(await holds.capture(slow)).toMatchObject(refusal(409, 'CAPTURE_IN_PROGRESS'));
    expect(await holds.release(other)).toMatchObject({ status: 200, body: { status: 'HOLD_RELEASED' } });
    expect(await holds.release(other)).toMatchObject({ status: 200 });
    await running.end();
    expect(await holds.capture(held, { amount: 20 })).toMatchObject({ status: 200, body: { amount: 20 } });
  });

  test('holds expire, because nobody waits for that', async () => {
    const [due, slow] = [await holds.place(), await holds.place()];
    await moveTo(services, new Date(Date.parse(due.holdExpiresAt ?? '') - 60_000));
    const running = await captureSlowly(slow);
    await services.moveClock(75_000);
    await until('it has expired', async () => (await statusOf(due)) === 'HOLD_EXPIRED');
    await running.end();
    const sent = await services.bank.operations();
    expect(sent.slice(-2)).toMatchObject([{ kind: 'void' }, { kind: 'capture' }]);
  });
});

test('with less time left than a call and a second, nothing is claimed', async () => {
  const held = await holds.place();
  const headers = { 'x-remaining-ms': String(CALL_TIMEOUT_MS + 990) };
  const before = await operations();
  expectUnavailable(await holds.capture(held, undefined, { headers }));
  expectUnavailable(await holds.release(held, { headers }));
  expect(await operations()).toBe(before);
  const enough = { 'x-remaining-ms': String(CALL_TIMEOUT_MS + 8_000) };
  expect(await holds.release(held, { headers: enough })).toMatchObject({ status: 200 });
  expect(await holds.release(held, { headers })).toMatchObject({ status: 200, body: { status: 'HOLD_RELEASED' } });
  expect(await holds.capture(held, undefined, { headers })).toMatchObject(refusal(409, 'PAYMENT_NOT_HELD'));
});

test('what is no envelope is no event', async () => {
  const caller = { kind: 'service', name: 'payments' } as const;
  for (const body of [{}, { type: 'HoldPlaced' }, undefined]) {
    const answer = await services.call('holds', { method: 'POST', path: '/internal/events', body, caller });
    expect(answer).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
  }
});

test('bank, payments and holds agree on all of it', async () => {
  const [payments, ours] = [services.db('payments'), services.db('holds')];
  await expect(untilAgreed({ bankUrl: services.bank.url, payments, holds: ours })).resolves.toBeUndefined();
});
