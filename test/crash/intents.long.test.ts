import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { type TestIntent, type TestIntents, type TestTerminal, testIntents } from '@cobro/testing/test-intents.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type CrashStack, startCrashStack, untilFinal } from './crash-stack.ts';
import { everyPoint, pointsUpTo } from './points.ts';

jest.setTimeout(1_200_000);

let stack: CrashStack;
let intents: TestIntents;
beforeAll(async () => {
  stack = await startCrashStack({ withIntents: true });
  intents = await testIntents(stack.services);
});
afterAll(() => stack?.stop());

interface Tapped {
  terminal: TestTerminal;
  intent: TestIntent;
  attemptId: string;
}

const ready = async (): Promise<Tapped> => ({ ...(await intents.ready()), attemptId: newId() });

/** The terminal repeats the same attempt; if that was declined without the bank, the next one pays. */
async function payAtLast({ terminal, intent, attemptId }: Tapped): Promise<number> {
  const again = await untilFinal(() => terminal.pay(intent, undefined, { attemptId }));
  if (again.status === 201) return 1;
  expect(again).toMatchObject({ status: 402, body: { declineCode: 'not_processed' } });
  // The same attempt each time: if its first answer is open, another attempt would only get that the intent is paid.
  const next = newId();
  expect(await untilFinal(() => terminal.pay(intent, undefined, { attemptId: next }))).toMatchObject({ status: 201 });
  return 2;
}

/** All books agree, and one payment paid each intent, however many attempts there were. */
async function expectPaidOnce(all: Tapped[]): Promise<void> {
  await stack.agree();
  const rows = await stack.services.db('payments').many<{ count: bigint }>(sql`
    select count(*) from payment
    where payment_intent_id = any(${all.map(({ intent }) => intent.id)}::uuid[]) and status = 'CONFIRMED'
    group by payment_intent_id`);
  expect(rows.map(({ count }) => count)).toEqual(all.map(() => 1n));
  const { left } = await stack.services.db('payments').one<{ left: bigint }>(sql`select count(*) as left from tap`);
  expect(left).toBe(0n);
}

test('intents dies at each commit and call of a tap: the card is charged once, and all books agree', async () => {
  const died: Tapped[] = [];
  const dies = async (point: string) => {
    const tapped = await ready();
    const { terminal, intent, attemptId } = tapped;
    const hasDied = await stack.dies('intents', point, (headers) =>
      terminal.pay(intent, undefined, { attemptId }, { headers }),
    );
    if (hasDied) died.push(tapped);
    return hasDied;
  };
  // Calls: which acquirer, the vault, the hand-over. Commit: the attempt.
  const points = ['call:1:sent', 'call:2:sent', 'commit:1:before', 'commit:1:after', 'call:3:sent'];
  const reached = inFull ? await everyPoint(dies) : points;
  expect(reached).toEqual(expect.arrayContaining(points));
  // On a slow machine a late hand-over is left to the broker, so there may be no such call.
  for (const point of points) await until(`intents dies at ${point}`, () => dies(point));
  for (const tapped of died) await payAtLast(tapped);
  await expectPaidOnce(died);
});

test('payments dies at each commit and call of charging a tap: the card is charged once, and all books agree', async () => {
  const died: Tapped[] = [];
  // Commits: the tap, its claim, its settling. Call: the sale.
  const inShort = ['commit:1:after', 'commit:2:after', 'call:1:sent', 'commit:3:before'];
  for (const point of inFull ? pointsUpTo({ commit: 3, call: 1 }) : inShort) {
    const tapped = await ready();
    const { terminal, intent, attemptId } = tapped;
    await stack.diesTrapped({ service: 'payments', statement: 'insert into tap', point }, () =>
      patiently(() => terminal.pay(intent, undefined, { attemptId })),
    );
    died.push(tapped);
  }
  for (const tapped of died) expect(await payAtLast(tapped)).toBeLessThanOrEqual(2);
  await expectPaidOnce(died);
});

testInFull(
  'intents dies while it writes an outcome down: the terminal and the cashier learn of it all the same',
  async () => {
    const died: Tapped[] = [];
    for (const point of pointsUpTo({ commit: 1, call: 0 })) {
      const tapped = await ready();
      const { terminal, intent, attemptId } = tapped;
      await stack.diesTrapped({ service: 'intents', statement: 'charging_payment_id = null', point }, () =>
        patiently(() => terminal.pay(intent, undefined, { attemptId })),
      );
      died.push(tapped);
    }
    for (const tapped of died) expect(await payAtLast(tapped)).toBe(1);
    await expectPaidOnce(died);
  },
);
