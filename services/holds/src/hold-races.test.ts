import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Payment } from '@cobro/contracts/payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import type { BankOperation } from '@cobro/testing/bank-operations.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { moveTo, moveToNoon, type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { until } from '@cobro/testing/until.ts';

const ROUNDS = inFull ? 500 : 16;
const AT_ONCE = 10;
const MINUTE = 60_000;
jest.setTimeout(ROUNDS * 3_000 + 3 * MINUTE);

let services: RunningServices;
let holds: TestHolds;
let before: BankOperation[];
beforeAll(async () => {
  // Late answers of the bank on a busy machine are not tested here, nor the bounds on its calls: all holds are of one card.
  const bounds = { BANK_CALLS: '500', BANK_CALLS_PER_MERCHANT: '500', BANK_CALLS_PER_CARD: '500' };
  const env = { BANK_CALL_TIMEOUT_MS: '8000', ...bounds };
  services = await startServices({ services: ['payments', 'holds'], replicas: { holds: 2 }, env });
  await moveToNoon(services);
  holds = await testHolds(services);
});
afterAll(() => services?.stop());
beforeEach(async () => {
  before = await services.bank.operations();
});

/** The answer to a request that is sent again after each 503 of a slow machine, because nothing was done then. */
const answerTo = async (request: () => Promise<HttpAnswer>) => inShort(await patiently(request));

const inShort = ({ status, body }: HttpAnswer) => {
  const { code, status: state } = body as { code?: string; status?: string };
  return `${status} ${code ?? state}`;
};

/** Works through the items, a few at a time. */
async function inParallel<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...items.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

const place = (count: number) => inParallel(Array.from({ length: count }), () => holds.place());

/** How each hold ended. One whose request was answered with 202 ends later, by an inquiry. */
async function endsOf(all: Payment[]): Promise<string[]> {
  let statuses: string[] = [];
  await until('all have ended', async () => {
    statuses = await statusesOf(all);
    return !statuses.some((status) => status === 'HELD' || status === 'none');
  });
  return statuses;
}

async function statusesOf(all: Payment[]): Promise<string[]> {
  const rows = await services.db('holds').many<{ id: string; status: string }>(sql`
    select payment_id as id, status from hold where payment_id = any(${all.map(({ id }) => id)}::uuid[])`);
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  return all.map(({ id }) => statuses.get(id) ?? 'none');
}

const approvedSince = async () => (await holds.sentSince(before)).filter(({ outcome }) => outcome === 'approved');

async function expectAgreement(): Promise<void> {
  const [payments, ours] = [services.db('payments'), services.db('holds')];
  await expect(untilAgreed({ bankUrl: services.bank.url, payments, holds: ours })).resolves.toBeUndefined();
}

// On a slow machine the database may have no connection in time to write down what the bank did: that is a 202.
describe('two replicas, two requests for one hold: exactly one wins', () => {
  type End = (held: Payment, replica: number) => Promise<HttpAnswer>;
  const capture: End = (held, replica) => holds.capture(held, { amount: 10 }, { replica });
  const release: End = (held, replica) => holds.release(held, { replica });

  /** Sends both at once, to either replica in turn. Returns every pair of answers with the hold's final status. */
  async function race(one: End, other: End): Promise<Set<string>> {
    const all = await place(ROUNDS);
    const answers = await inParallel([...all.entries()], async ([i, held]) => {
      const pair = [() => one(held, i % 2), () => other(held, (i + 1) % 2)];
      return (await Promise.all((i % 4 < 2 ? pair : pair.toReversed()).map(answerTo))).toSorted().join(', ');
    });
    const statuses = await endsOf(all);
    expect(await approvedSince()).toHaveLength(ROUNDS);
    return new Set(answers.map((pair, i) => `${pair}: ${statuses[i]}`));
  }

  test('capture × capture', async () => {
    expect([
      '200 CONFIRMED, 409 CAPTURE_IN_PROGRESS: CAPTURED',
      '200 CONFIRMED, 409 PAYMENT_NOT_HELD: CAPTURED',
      '202 HELD, 409 CAPTURE_IN_PROGRESS: CAPTURED',
      '202 HELD, 409 PAYMENT_NOT_HELD: CAPTURED',
    ]).toEqual(expect.arrayContaining([...(await race(capture, capture))]));
    await expectAgreement();
  });

  test('capture × release', async () => {
    expect([
      '200 CONFIRMED, 409 CAPTURE_IN_PROGRESS: CAPTURED',
      '200 CONFIRMED, 409 PAYMENT_NOT_HELD: CAPTURED',
      '200 HOLD_RELEASED, 409 RELEASE_IN_PROGRESS: RELEASED',
      '200 HOLD_RELEASED, 409 PAYMENT_NOT_HELD: RELEASED',
      '202 HELD, 409 CAPTURE_IN_PROGRESS: CAPTURED',
      '202 HELD, 409 RELEASE_IN_PROGRESS: RELEASED',
      '202 HELD, 409 PAYMENT_NOT_HELD: CAPTURED',
      '202 HELD, 409 PAYMENT_NOT_HELD: RELEASED',
    ]).toEqual(expect.arrayContaining([...(await race(capture, release))]));
    await expectAgreement();
  });

  test('release × release: both may hear of the one release', async () => {
    expect([
      '200 HOLD_RELEASED, 409 RELEASE_IN_PROGRESS: RELEASED',
      '200 HOLD_RELEASED, 200 HOLD_RELEASED: RELEASED',
      '200 HOLD_RELEASED, 202 HELD: RELEASED',
      '202 HELD, 409 RELEASE_IN_PROGRESS: RELEASED',
    ]).toEqual(expect.arrayContaining([...(await race(release, release))]));
    await expectAgreement();
  });
});

describe('one replica sweeps by a clock that runs ahead, requests reach the other: exactly one wins', () => {
  const setClock = (replica: number, aheadMs: number) =>
    services.call('holds', {
      method: 'PUT',
      path: '/internal/clock',
      caller: { kind: 'service', name: 'gateway' },
      body: { offsetMs: services.now().getTime() - Date.now() + aheadMs },
      replica,
    });

  /** Returns every answer with the hold's final status. */
  async function raceWithSweep(end: (held: Payment) => Promise<HttpAnswer>): Promise<string[]> {
    await moveToNoon(services);
    const all = await place(ROUNDS / 2);
    await moveTo(services, new Date(Date.parse(all[0]?.holdExpiresAt ?? '') - 5 * MINUTE));
    const last = all.length - 1;
    const first = await answerTo(() => end(all[0] as Payment));
    await setClock(1, 6 * MINUTE);
    // Spread over the second in which the sweep begins, so that some come before, some during and some after it.
    const others = await Promise.all(
      all.slice(1, last).map(async (held) => {
        await sleep(Math.random() * 1_500);
        return answerTo(() => end(held));
      }),
    );
    const statuses = await endsOf(all);
    const answers = [first, ...others, await answerTo(() => end(all[last] as Payment))];
    await setClock(1, 0);
    return answers.map((answer, i) => `${answer}: ${statuses[i]}`);
  }

  const twice = async (end: (held: Payment) => Promise<HttpAnswer>) =>
    new Set([...(await raceWithSweep(end)), ...(await raceWithSweep(end))]);

  test('capture × sweep', async () => {
    const seen = await twice((held) => holds.capture(held, { amount: 10 }, { replica: 0 }));
    expect([
      '200 CONFIRMED: CAPTURED',
      '409 RELEASE_IN_PROGRESS: EXPIRED',
      '409 PAYMENT_NOT_HELD: EXPIRED',
      '202 HELD: CAPTURED',
    ]).toEqual(expect.arrayContaining([...seen]));
    expect(seen.size).toBeGreaterThan(1);
    expect(await approvedSince()).toHaveLength(ROUNDS);
    await expectAgreement();
  });

  test('release × sweep', async () => {
    const seen = await twice((held) => holds.release(held, { replica: 0 }));
    expect([
      '200 HOLD_RELEASED: RELEASED',
      '409 RELEASE_IN_PROGRESS: EXPIRED',
      '409 PAYMENT_NOT_HELD: EXPIRED',
      '202 HELD: RELEASED',
    ]).toEqual(expect.arrayContaining([...seen]));
    expect(seen.size).toBeGreaterThan(1);
    expect(await approvedSince()).toHaveLength(ROUNDS);
    await expectAgreement();
  });
});
