import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import type { BankOperation } from '@cobro/testing/bank-operations.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { moveTo, moveToNoon, type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { until } from '@cobro/testing/until.ts';

let services: RunningServices;
let holds: TestHolds;
let before: BankOperation[];
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'], env: { BANK_CALL_TIMEOUT_MS: '4000' } });
  await moveToNoon(services);
  holds = await testHolds(services);
});
afterAll(() => services?.stop());

/** A hold's entries in the bank's books since the test began. */
async function said(held: Payment) {
  const ours = await services.db('holds').many<{ id: string }>(sql`
    select id from bank_operation where subject_id = ${held.id}`);
  const ids = new Set(ours.map(({ id }) => id));
  const sent = (await holds.sentSince(before)).filter(({ idempotencyKey }) => ids.has(idempotencyKey));
  return sent.map(({ kind, outcome }) => `${kind} ${outcome}`);
}

const becomes = (held: Payment, status: Payment['status']) =>
  until(`${held.id} ${status}`, async () => (await holds.read(held)).status === status);

const toExpiry = (held: Payment, afterMs: number) =>
  moveTo(services, new Date(Date.parse(held.holdExpiresAt ?? '') + afterMs));
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('a hold on its 7th natural day', () => {
  let [captured, late, releasedLate, left, withoutChannel]: Payment[] = [];
  const named = (held: Payment | undefined) => held as Payment;
  beforeAll(async () => {
    before = await services.bank.operations();
    [captured, late, releasedLate, left] = await Promise.all([1, 2, 3, 4].map(() => holds.place()));
    withoutChannel = await (await testHolds(services, { fees: false })).place();
    await until('holds keeps all five from the sweep', async () => {
      const kept = await services.db('holds').run(sql`update hold set sweep_again_at = 'infinity'`);
      return kept === 5;
    });
    await toExpiry(named(captured), -MINUTE / 2);
  });

  test('in the minute 22:59 can be captured, and one day remains', async () => {
    expect(await holds.read(named(captured))).toMatchObject({ holdExpired: false, holdDaysRemaining: 1 });
    expect(await holds.capture(named(captured))).toMatchObject({
      status: 200,
      body: { status: 'CONFIRMED', holdExpired: false, holdDaysRemaining: null },
    });
  });

  test('from 23:00 until the sweep: HELD, 409 HOLD_WINDOW_CLOSED, nothing sent to the bank', async () => {
    await toExpiry(named(late), 0);

    // Also an amount above the hold: the window is checked first.
    for (const body of [undefined, { amount: 1 }, { amount: 1_000 }]) {
      expect(await holds.capture(named(late), body)).toMatchObject({
        status: 409,
        body: { code: 'HOLD_WINDOW_CLOSED' },
      });
    }

    expect(await said(named(late))).toEqual([]);
    const { heldAt, holdExpiresAt } = named(late);
    expect(await holds.read(named(late))).toMatchObject({ status: 'HELD', holdExpired: true, holdDaysRemaining: 0 });
    expect(await holds.read(named(late))).toMatchObject({ heldAt, holdExpiresAt, holdReleasedAt: null });
  });

  test('from 23:00 until the sweep: a release answers 200 HOLD_RELEASED', async () => {
    expect(await holds.release(named(releasedLate))).toMatchObject({
      status: 200,
      body: { status: 'HOLD_RELEASED', holdExpired: true, holdDaysRemaining: null },
    });
  });

  test('is released by itself: HOLD_EXPIRED, holdReleasedAt = when the sweep released it', async () => {
    await toExpiry(named(left), 11_000);
    await services.db('holds').run(sql`update hold set sweep_again_at = null`);
    for (const held of [named(late), named(left), named(withoutChannel)]) {
      await until('the sweep', async () => (await said(held)).length > 0);
      expect(await said(held)).toEqual(['void approved']);
    }
    await Promise.all([named(late), named(left)].map((held) => becomes(held, 'HOLD_EXPIRED')));
    const shown = await holds.read(named(left));
    expect(shown).toMatchObject({ amount: 150, capturedAt: null, holdExpired: true, holdDaysRemaining: null });
    const releasedAfter = Date.parse(shown.holdReleasedAt ?? '') - Date.parse(shown.holdExpiresAt ?? '');
    expect(releasedAfter).toBeGreaterThanOrEqual(10_000);
    expect(releasedAfter).toBeLessThan(MINUTE * 5);
  });

  test('once it is HOLD_EXPIRED, a capture and a release answer 409 PAYMENT_NOT_HELD', async () => {
    for (const answer of [await holds.capture(named(left)), await holds.release(named(left))]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });
    }
  });

  test('what was captured or released before is left alone', async () => {
    expect(await holds.read(named(captured))).toMatchObject({ status: 'CONFIRMED', holdExpired: true });
    expect(await holds.read(named(releasedLate))).toMatchObject({ status: 'HOLD_RELEASED' });
    expect([await said(named(captured)), await said(named(releasedLate))]).toEqual([
      ['capture approved'],
      ['void approved'],
    ]);
  });

  test('a captured one is refunded with the amount that was captured', async () => {
    const answer = await holds.refund(named(captured));
    expect(answer).toMatchObject({ status: 200, body: { status: 'REFUNDED', amount: 150 } });
  });
});

describe('the sweep', () => {
  test('a day late finds that the bank has expired the hold already, and that counts as done', async () => {
    before = await services.bank.operations();
    const held = await holds.place();
    await toExpiry(held, DAY);
    await becomes(held, 'HOLD_EXPIRED');
    expect(await said(held)).toEqual(['void declined']);
    expect((await holds.read(held)).holdReleasedAt).not.toBeNull();
  });

  test('resolves an open operation first: a capture that the bank did stays a capture', async () => {
    before = await services.bank.operations();
    const [done, notDone] = [await holds.place(), await holds.place()];
    await toExpiry(done, -MINUTE);
    const faults = ['silentDone', 'silentNotDone'].map((fault) => ({ kind: 'capture', fault }));
    await services.bank.setFaults({ next: faults });
    expect(await holds.capture(done)).toMatchObject({ status: 202, body: { status: 'HELD' } });
    expect(await holds.capture(notDone)).toMatchObject({ status: 202, body: { status: 'HELD' } });

    await toExpiry(done, 11_000);

    await becomes(done, 'CONFIRMED');
    await becomes(notDone, 'HOLD_EXPIRED');
    expect([await said(done), await said(notDone)]).toEqual([['capture approved'], ['void approved']]);
  });

  test('asks again later where the bank declines, and finds out where it does not answer', async () => {
    before = await services.bank.operations();
    const [declined, silent] = [await holds.place(), await holds.place()];
    await services.bank.setFaults({ next: ['decline', 'silentDone'].map((fault) => ({ kind: 'void', fault })) });
    await toExpiry(declined, 11_000);

    const outcomes = async () => [...(await said(declined)), ...(await said(silent))].toSorted();
    await until('both voids', async () => (await outcomes()).length === 2);
    expect(await outcomes()).toEqual(['void approved', 'void declined']);
    // Either of the two may be declined; that one stays HELD and is tried again after a minute.
    await until('a minute is over', async () => {
      const again = sql`update hold set sweep_again_at = null where status = 'HELD' and sweep_again_at is not null`;
      return (await services.db('holds').run(again)) === 1;
    });
    await Promise.all([declined, silent].map((held) => becomes(held, 'HOLD_EXPIRED')));
    expect(await outcomes()).toEqual(['void approved', 'void approved', 'void declined']);
  });

  test('a bank that cannot be reached costs time only', async () => {
    const held = await holds.place();
    await services.bank.kill();
    await toExpiry(held, 11_000);
    await until('a void was tried', async () => {
      const tried = await services.db('holds').one<{ n: number }>(sql`
        select count(*)::int as n from bank_operation where subject_id = ${held.id} and status = 'not_sent'`);
      return tried.n > 0;
    });
    expect(await holds.read(held)).toMatchObject({ status: 'HELD', holdDaysRemaining: 0 });
    await services.bank.start();
    await becomes(held, 'HOLD_EXPIRED');
  });
});

describe('a network that lets go sooner than the seventh day', () => {
  const place = async (card: string) => holds.place({}, (await holds.merchant.saveCard(card)).id);
  const inItsWindow = { holdExpired: false, holdDaysRemaining: null };

  test('as it has said: the sweep releases the hold then, and the window stays as the calendar has it', async () => {
    before = await services.bank.operations();
    const [held, other] = [await place(testCards.shortWindow), await holds.place()];
    await moveTo(services, new Date(Date.parse(held.heldAt ?? '') + 4 * DAY + 19 * 60 * MINUTE));
    await becomes(held, 'HOLD_EXPIRED');
    expect(await said(held)).toEqual(['void declined']);
    expect(await holds.read(held)).toMatchObject({ ...inItsWindow, holdExpiresAt: held.holdExpiresAt });
    expect(await holds.read(other)).toMatchObject({ status: 'HELD' });
    expect(await said(other)).toEqual([]);
  });

  test('and nobody has said so: a capture is 402, and the hold ends at once, whatever the sweep waited for', async () => {
    before = await services.bank.operations();
    const held = await place(testCards.letGoEarly);
    await moveTo(services, new Date(Date.parse(held.heldAt ?? '') + 5 * DAY));
    await until('holds keeps it from the sweep', async () => {
      const kept = sql`update hold set sweep_again_at = 'infinity' where payment_id = ${held.id}`;
      return (await services.db('holds').run(kept)) === 1;
    });
    expect(await holds.capture(held)).toMatchObject({
      status: 402,
      body: { code: 'CAPTURE_DECLINED', declineCode: 'expired', paymentId: held.id },
    });
    await becomes(held, 'HOLD_EXPIRED');
    expect(await said(held)).toEqual(['capture declined', 'void declined']);
    expect(await holds.read(held)).toMatchObject(inItsWindow);
    expect(await holds.capture(held)).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });
  });
});

test('a release that the bank answers with "already expired" is done', async () => {
  const held = await holds.place();
  // The bank's day closes half an hour after ours; here its clock alone is a week ahead.
  const moveBank = (ms: number) =>
    fetch(`${services.bank.url}/internal/clock`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ offsetMs: services.now().getTime() - Date.now() + ms }),
    });
  await moveBank(8 * DAY);
  const answer = await holds.release(held);
  await moveBank(0);
  expect(answer).toMatchObject({ status: 200, body: { status: 'HOLD_RELEASED', holdDaysRemaining: null } });
});

test('bank, payments and holds agree on all of it', async () => {
  const [payments, ours] = [services.db('payments'), services.db('holds')];
  await expect(untilAgreed({ bankUrl: services.bank.url, payments, holds: ours })).resolves.toBeUndefined();
});
