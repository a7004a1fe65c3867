import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Payment } from '@cobro/contracts/payments.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import type { BankOperation } from '@cobro/testing/bank-operations.ts';
import { untilAtTheBank } from '@cobro/testing/at-the-bank.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { moveToNoon, type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { until } from '@cobro/testing/until.ts';

let services: RunningServices;
let holds: TestHolds;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'], env: { BANK_CALL_TIMEOUT_MS: '4000' } });
  await moveToNoon(services);
  holds = await testHolds(services);
});
afterAll(() => services?.stop());

const nextFault = (...next: { kind: string; fault: string }[]) => services.bank.setFaults({ next });
/** Leaves an operation open by this fault, with no answer of the bank until `expectInProgress` is through. */
const openBy = (kind: string, fault: string) =>
  services.bank.setFaults({ ...unansweredInquiries, next: [{ kind, fault }] });
const becomes = (held: Payment, status: Payment['status']) =>
  until(`${held.id} ${status}`, async () => (await holds.read(held)).status === status);
/** Waits until no operation of the hold is open. */
const settled = (held: Payment) =>
  until(`${held.id} settled`, async () => {
    const answer = await holds.capture(held, { amount: 1_000_000 });
    return !/IN_PROGRESS|UNAVAILABLE/.test((answer.body as { code: string }).code);
  });

function expectUnknown(answer: HttpAnswer, held: Payment) {
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual(held);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(answer.headers.get('location')).toBe(`/api/payment-method/${holds.cardId}/payment/${held.id}`);
}

async function expectInProgress(held: Payment, code: string) {
  for (const ask of [holds.capture, holds.release, holds.refund]) {
    const answer = await ask(held);
    expect(answer).toMatchObject({ status: 409, body: { code } });
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  await services.bank.setFaults({});
}

const only = (operations: BankOperation[]) => operations.map(({ kind, outcome }) => `${kind} ${outcome}`);

describe('a capture that the bank does not answer', () => {
  test('and that it did: 202 HELD, CAPTURE_IN_PROGRESS, then CONFIRMED with the bank’s time, by asking', async () => {
    const before = await services.bank.operations();
    const held = await holds.place();
    await openBy('capture', 'silentDone');

    expectUnknown(await holds.capture(held, { amount: 50 }), held);
    await expectInProgress(held, 'CAPTURE_IN_PROGRESS');

    await becomes(held, 'CONFIRMED');
    const sent = await holds.sentSince(before);
    expect(only(sent)).toEqual(['capture approved']);
    expect(await holds.read(held)).toMatchObject({ amount: 50, capturedAt: sent[0]?.createdAt, holdReleasedAt: null });
    expect(await holds.capture(held)).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });
  });

  test('and that it did not: 202 HELD, CAPTURE_IN_PROGRESS, then it can be captured again', async () => {
    const before = await services.bank.operations();
    const held = await holds.place();
    await openBy('capture', 'silentNotDone');

    expectUnknown(await holds.capture(held, { amount: 50 }), held);
    await expectInProgress(held, 'CAPTURE_IN_PROGRESS');

    await settled(held);
    expect(await holds.read(held)).toEqual(held);
    expect(await holds.capture(held, { amount: 60 })).toMatchObject({ status: 200, body: { amount: 60 } });
    expect(only(await holds.sentSince(before))).toEqual(['capture approved']);
  });

  test('an error, a connection cut after it was done and an answer too late are no declines', async () => {
    const ends = { error: 'HELD', drop: 'CONFIRMED', slow: 'CONFIRMED' } as const;
    const open = new Map<Payment, Payment['status']>();
    for (const [fault, status] of Object.entries(ends)) {
      const held = await holds.place();
      await services.bank.setFaults({ next: [{ kind: 'capture', fault }], slowMs: 6_000 });
      expectUnknown(await holds.capture(held), held);
      open.set(held, status);
    }
    for (const [held, status] of open) {
      await settled(held);
      await becomes(held, status);
      expect(await holds.read(held)).toMatchObject({ amount: 150, holdReleasedAt: null });
    }
  });

  test('nor the first inquiry: it is asked until it answers', async () => {
    const held = await holds.place();
    await nextFault({ kind: 'capture', fault: 'silentDone' }, { kind: 'inquire', fault: 'error' });

    expectUnknown(await holds.capture(held), held);

    await becomes(held, 'CONFIRMED');
    expect(await holds.capture(held)).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });
  });
});

describe('a release that the bank does not answer', () => {
  test('and that it did: 202 HELD, RELEASE_IN_PROGRESS, then HOLD_RELEASED', async () => {
    const before = await services.bank.operations();
    const held = await holds.place();
    await openBy('void', 'silentDone');

    expectUnknown(await holds.release(held), held);
    await expectInProgress(held, 'RELEASE_IN_PROGRESS');

    await becomes(held, 'HOLD_RELEASED');
    const sent = await holds.sentSince(before);
    expect(only(sent)).toEqual(['void approved']);
    expect(await holds.read(held)).toMatchObject({ amount: 150, holdReleasedAt: sent[0]?.createdAt });
    expect(await holds.release(held)).toMatchObject({ status: 200 });
  });

  test('and that it did not: 202 HELD, RELEASE_IN_PROGRESS, then it can be captured', async () => {
    const held = await holds.place();
    await openBy('void', 'silentNotDone');

    expectUnknown(await holds.release(held), held);
    await expectInProgress(held, 'RELEASE_IN_PROGRESS');

    await settled(held);
    expect(await holds.capture(held)).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
  });
});

test('a caller that goes away aborts neither call nor settle', async () => {
  const held = await holds.place();
  await nextFault({ kind: 'capture', fault: 'held' });
  const token = await services.keys.token('gateway', holds.merchant.caller, 'holds');
  const url = `${services.url('holds')}/payment-method/${holds.cardId}/payment/${held.id}/capture`;
  const leaving = new AbortController();
  const left = fetch(url, { method: 'POST', headers: { 'x-internal-token': token }, signal: leaving.signal });
  left.catch(() => {});
  await untilAtTheBank(services, 'holds');

  leaving.abort();

  await expect(left).rejects.toThrow(/aborted/);
  await services.bank.setFaults({});
  await becomes(held, 'CONFIRMED');
});

test('a holds that dies while the bank is silent finds out when it is back', async () => {
  const held = await holds.place();
  await nextFault({ kind: 'capture', fault: 'silentDone' });
  const cut = holds.capture(held).catch(() => 'cut');
  await until('the bank captured', async () => {
    const { kind, outcome } = (await services.bank.operations()).at(-1) ?? {};
    return kind === 'capture' && outcome === 'approved';
  });
  await services.kill('holds');
  expect(await cut).toBe('cut');

  await services.restart('holds');

  await becomes(held, 'CONFIRMED');
  expect(await holds.release(held)).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });
});

test('bank, payments and holds agree on all of it', async () => {
  const [payments, ours] = [services.db('payments'), services.db('holds')];
  await expect(untilAgreed({ bankUrl: services.bank.url, payments, holds: ours })).resolves.toBeUndefined();
});
