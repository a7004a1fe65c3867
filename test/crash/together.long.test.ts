import { inFull } from '@cobro/testing/in-full.ts';
import { describeInFull } from '@cobro/testing/test-in-full.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type CrashStack, startCrashStack, untilFinal } from './crash-stack.ts';
import { pointsUpTo } from './points.ts';

jest.setTimeout(900_000);

let stack: CrashStack;
beforeAll(async () => {
  stack = await startCrashStack();
});
afterAll(() => stack?.stop());

/** The most calls that a card may have under way at the bank. */
const AT_ONCE = 16;
/** In a shared transaction each caller has one statement; the last of these points is beyond the first commit. */
const STATEMENTS = inFull ? 40 : 2;
const statements = pointsUpTo({ statement: STATEMENTS });
const amounts = Array.from({ length: AT_ONCE }, (_, i) => i + 1);

/** A request that is sent together with others, and repeated until its answer is final. */
interface Charge {
  externalId: string;
  amount: number;
  holdFunds: boolean;
}

const send = ({ externalId, amount, holdFunds }: Charge) =>
  stack.holds.merchant.charge(stack.holds.cardId, { amount, holdFunds, externalId });

/**
 * Sends such charges at once, and again until the process is dead. On a slow machine the first ones may come one by one, so that only
 * later ones come after the trap.
 */
async function chargeUntil(isDead: () => boolean, holdFunds: boolean): Promise<Charge[]> {
  const all: Charge[] = [];
  while (!isDead() && all.length < 10 * AT_ONCE) {
    const charges = amounts.map((amount) => ({ externalId: newId(), amount, holdFunds }));
    all.push(...charges);
    await Promise.allSettled(charges.map(send));
  }
  return all;
}

/** Each charge has one payment of its own amount, or the bank was never asked for it. */
async function expectOneEach(charges: Charge[]): Promise<Payment[]> {
  const made: Payment[] = [];
  for (const charge of charges) {
    const { amount, externalId } = charge;
    const { status, body } = await untilFinal(() => send(charge));
    if (status === 201) made.push(body as Payment);
    const of = { amount, externalId, status: charge.holdFunds ? 'HELD' : 'CONFIRMED' };
    const wanted = status === 201 ? { status, body: of } : { status: 402, body: { declineCode: 'not_processed' } };
    expect({ status, body }).toMatchObject(wanted);
  }
  const ids = charges.map(({ externalId }) => externalId);
  const rows = await stack.services.db('payments').many<{ count: number }>(sql`
    select count(*)::int as count from payment where external_id = any(${ids}) group by external_id`);
  expect(rows).toEqual(ids.map(() => ({ count: 1 })));
  return made;
}

describe('payments dies inside a transaction that shares', () => {
  const works = [
    ['claims', 'lock_timeout.*insert into payment ', false],
    ['settlements', 'lock_timeout.*update bank_operation set status', true],
  ] as const;
  // The settlements of the short form die in the other test.
  test.each(inFull ? works : works.slice(0, 1))(
    '%s: every charge is made once, with its own amount, or not at all',
    async (_name, statement, holdFunds) => {
      const all: Charge[] = [];
      for (const point of statements) {
        await stack.diesTrapped({ service: 'payments', statement, point }, async (isDead) => {
          all.push(...(await chargeUntil(isDead, holdFunds)));
        });
        if (inFull) await stack.agree();
      }
      const made = await expectOneEach(all);
      await stack.agree();
      // Charges whose claim was rolled back are made when they are sent again.
      expect(made.length).toBeGreaterThan(0);
    },
  );
});

describeInFull('of holds that are placed at once, whichever dies around their event,', () => {
  test.each([
    ['holds that takes it', 'holds', 'insert into inbox.*unnest', pointsUpTo({ statement: 20 })],
    ['payments that publishes', 'payments', 'lock_timeout.*update bank_operation set status', pointsUpTo({ call: 6 })],
  ] as const)('%s: each can be captured, once', async (_name, service, statement, points) => {
    const held: Payment[] = [];
    for (const point of points) {
      let charges: Charge[] = [];
      await stack.diesTrapped({ service, statement, point }, async (isDead) => {
        charges = await chargeUntil(isDead, true);
      });
      const placed = await expectOneEach(charges);
      // If a slow machine leaves an answer open, the capture is done and its repeat refused, so only the reads below judge.
      await Promise.all(placed.map((one) => untilFinal(() => stack.holds.capture(one, { amount: 1 }))));
      held.push(...placed);
      await stack.agree();
    }
    expect(held.length).toBeGreaterThan(0);
    for (const one of held) {
      expect(await stack.holds.read(one)).toMatchObject({ id: one.id, status: 'CONFIRMED', amount: 1 });
    }
  });
});
