import { inFull } from '@cobro/testing/in-full.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Payment } from '@cobro/contracts/payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { until } from '@cobro/testing/until.ts';
import { type CrashStack, startCrashStack, untilFinal } from './crash-stack.ts';
import { everyPoint, ofThisForm, pointsUpTo } from './points.ts';

jest.setTimeout(900_000);

let stack: CrashStack;
beforeAll(async () => {
  stack = await startCrashStack();
});
afterAll(() => stack?.stop());

const ROUNDS = inFull ? 3 : 1;
/** Claim and settle; the bank and the hand-over. */
const CLAIM_CALL_SETTLE = pointsUpTo({ commit: 2, call: 2 });
/** On a slow machine the hand-over may end too late; then holds writes that down, in one more commit. */
const MISSED = pointsUpTo({ commit: 3, call: 2 }).filter((point) => !CLAIM_CALL_SETTLE.includes(point));

/** Dies at every point of `end`. Returns the holds with their points. */
async function dieEverywhere(end: (held: Payment, point: string) => Promise<boolean>): Promise<Map<Payment, string>> {
  const touched = new Map<Payment, string>();
  for (let round = 0; round < ROUNDS; round++) {
    const dies = async (point: string) => {
      const held = await stack.holds.place();
      // If the broker has not brought the hold yet, holds asks payments for it, in one more call.
      await until('holds knows the hold', async () => {
        const rows = await stack.services.db('holds').many(sql`select from hold where payment_id = ${held.id}`);
        return rows.length === 1;
      });
      const died = await end(held, point);
      if (died) touched.set(held, point);
      if (died && inFull) await stack.agree();
      return died;
    };
    const points = await everyPoint(async (point) => {
      // On a slow machine a hand-over that is too late is not sent, so there is no such call.
      const tries = CLAIM_CALL_SETTLE.includes(point) ? 5 : 1;
      for (let i = 0; i < tries; i++) if (await dies(point)) return true;
      return false;
    });
    const expected = points.filter((point) => !MISSED.includes(point));
    expect(expected.toSorted()).toEqual(CLAIM_CALL_SETTLE.toSorted());
  }
  return touched;
}

describe('holds dies at each commit and call of', () => {
  test('a capture: it is captured once', async () => {
    const touched = await dieEverywhere((held, point) =>
      stack.dies('holds', point, (headers) => stack.holds.capture(held, { amount: 40 }, { headers })),
    );

    // A repeated request is answered that it is done now, or was done before.
    const heard: Record<string, string> = {};
    const [now, before] = ['200 CONFIRMED', '409 PAYMENT_NOT_HELD'];
    for (const [held, point] of touched) {
      const { status, body, wasOpen } = await untilFinal(() => stack.holds.capture(held, { amount: 40 }));
      const said = `${status} ${(body as { code?: string }).code ?? (body as Payment).status}`;
      heard[point] = wasOpen && said === before ? now : said;
    }
    const onItsWay = heard['call:1:sent'];
    expect([now, before]).toContain(onItsWay);
    expect(heard).toEqual({
      ...Object.fromEntries([...CLAIM_CALL_SETTLE, ...touched.values()].map((point) => [point, before])),
      ...ofThisForm({ 'commit:1:before': now, 'commit:1:after': now, 'call:1:before': now, 'call:1:sent': onItsWay }),
    });
    await stack.agree();
    for (const held of touched.keys()) {
      expect(await stack.holds.read(held)).toMatchObject({ status: 'CONFIRMED', amount: 40, heldAmount: 150 });
    }
  });

  test('a release: it is released once', async () => {
    const touched = await dieEverywhere((held, point) =>
      stack.dies('holds', point, (headers) => stack.holds.release(held, { headers })),
    );

    for (const [held, point] of touched) {
      const { status, body } = await untilFinal(() => stack.holds.release(held));
      expect([point, status, (body as Payment).status]).toEqual([point, 200, 'HOLD_RELEASED']);
    }
    await stack.agree();
    for (const held of touched.keys()) expect(await stack.holds.read(held)).toMatchObject({ status: 'HOLD_RELEASED' });
  });

  test('the expiry, to the event that has left: it expires once, by itself', async () => {
    const expired: Payment[] = [];
    // An expiry is not handed over, so its only call is the void. The last death is the relay's, after it has published the event.
    const traps = [
      ...pointsUpTo({ commit: 2, call: 1 }).map((point) => ({
        statement: 'insert into bank_operation.* expire ',
        point,
      })),
      ...pointsUpTo({ statement: 1 }).map((point) => ({ statement: 'delete from outbox', point })),
    ];
    for (const trap of Array.from({ length: ROUNDS }, () => traps).flat()) {
      const held = await stack.holds.place();
      await stack.diesTrapped({ service: 'holds', ...trap }, () => stack.expire(held));
      expired.push(held);
      if (inFull) await stack.agree();
    }

    for (const held of expired) {
      await until(`${held.id} expires`, async () => (await stack.holds.read(held)).status === 'HOLD_EXPIRED');
    }
    await expect(stack.agree()).resolves.toBeUndefined();
  });
});

describe('around the commit of an event, dies', () => {
  const bothSides = async (work: (point: string) => Promise<unknown>) => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const point of pointsUpTo({ commit: 1, call: 0 })) await work(point);
    }
    await stack.agree();
  };

  test('holds that hears of a placement: the hold can be captured at once', async () => {
    const captured: Payment[] = [];
    await bothSides(async (point) => {
      let held: Payment | undefined;
      await stack.diesTrapped({ service: 'holds', statement: 'insert into inbox', point }, async () => {
        held = await stack.holds.place();
      });
      captured.push(held as Payment);
      await untilFinal(() => stack.holds.capture(held as Payment));
    });
    for (const held of captured) expect(await stack.holds.read(held)).toMatchObject({ status: 'CONFIRMED' });
  });

  test('payments that hears of a capture: it hears of it again', async () => {
    const captured: Payment[] = [];
    await bothSides(async (point) => {
      const held = await stack.holds.place();
      await stack.diesTrapped({ service: 'payments', statement: 'insert into inbox', point }, () =>
        stack.holds.capture(held),
      );
      // payments may die at an earlier event, before holds could ask it for the hold.
      await untilFinal(() => stack.holds.capture(held));
      captured.push(held);
    });
    for (const held of captured) expect(await stack.holds.read(held)).toMatchObject({ status: 'CONFIRMED' });
  });

  /** The relay deletes a published event in one statement, outside any transaction. */
  const aroundForgetting = async (work: (point: string) => Promise<unknown>) => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const point of pointsUpTo({ statement: 1 })) await work(point);
    }
    await stack.agree();
  };

  // In the short form the expiry above ends with such a death.
  testInFull('holds that has published a release and not yet forgotten it: it is published again', async () => {
    const deaths = aroundForgetting(async (point) => {
      const held = await stack.holds.place();
      await stack.diesTrapped({ service: 'holds', statement: 'delete from outbox', point }, () =>
        stack.holds.release(held),
      );
    });
    await expect(deaths).resolves.toBeUndefined();
  });

  testInFull('payments that has published a placement and not yet forgotten it: it is published again', async () => {
    const deaths = aroundForgetting((point) =>
      stack.diesTrapped({ service: 'payments', statement: 'delete from outbox', point }, () => stack.holds.place()),
    );
    await expect(deaths).resolves.toBeUndefined();
  });
});
