import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@cobro/contracts/ids.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { proxyTo, type TcpProxy } from '@cobro/testing/tcp-proxy.ts';
import { testBrokerNames } from '@cobro/testing/test-broker.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { type TestIntent, type TestIntents, type TestTerminal, testIntents } from '@cobro/testing/test-intents.ts';
import { afterAll, beforeAll, expect, jest } from '@jest/globals';
import { untilFinal } from './crash-stack.ts';

jest.setTimeout(1_200_000);

/** Rounds of simultaneous taps. In every second round a service is paused. */
const ROUNDS = 50;
const TAPS = 10;
/** From this round intents' clock is five seconds ahead. */
const AHEAD = ROUNDS - 2;
/** The longest that a terminal may wait for an outcome. */
const WITHIN_MS = 12_000;

const PAUSED = ['payments', 'intents'] as const;
const PAUSE_MS = [2_000, 1_000, 1_500, 500];
const AFTER_MS = [0, 60, 150, 20, 300];

let services: RunningServices;
let broker: TcpProxy;
let intents: TestIntents;
beforeAll(async () => {
  broker = await proxyTo(testBrokerNames().url);
  services = await startServices({ services: ['intents', 'payments', 'holds'], env: { AMQP_URL: broker.url } });
  intents = await testIntents(services);
});
afterAll(async () => {
  await services?.stop();
  await broker?.cut();
});

const at = <T>(values: readonly T[], i: number): T => values[i % values.length] as T;

/** The tapped cards: most are charged, the bank declines some, and payments declines one by itself. */
const taps = [
  { card: testCards.approved, terms: 1 },
  { card: testCards.declined, terms: 1 },
  { card: testCards.amexCredit, terms: 3 },
  { card: testCards.mastercardDebit, terms: 3 },
  { card: testCards.approved, terms: 3 },
];

interface Ended {
  terminal: TestTerminal;
  intent: TestIntent;
  answer: HttpAnswer;
  tookMs: number;
}

/** Repeats the same attempt until it has an outcome, as a terminal does. */
async function tap(ready: { terminal: TestTerminal; intent: TestIntent }, n: number): Promise<Ended> {
  const { terminal, intent } = ready;
  const { card, terms } = at(taps, n);
  const attemptId = newId();
  const begun = performance.now();
  const answer = await untilFinal(() => terminal.pay(intent, card, { attemptId, terms }));
  return { terminal, intent, answer, tookMs: performance.now() - begun };
}

async function pause(round: number): Promise<void> {
  const service = at(PAUSED, round >> 1);
  await sleep(at(AFTER_MS, round >> 1));
  services.pause(service);
  await sleep(at(PAUSE_MS, round >> 2));
  services.resume(service);
}

/** Every charge that the bank approved is the outcome of one attempt, and no attempt is open. */
async function expectChargedAsAnswered(ended: Ended[]): Promise<void> {
  const answered = ended.flatMap(({ answer }) =>
    answer.status === 201 ? [(answer.body as { paymentId: string }).paymentId] : [],
  );
  const approved = (await intents.sales()).map(({ idempotencyKey }) => idempotencyKey);
  const charged = await services.db('payments').many<{ id: string }>(sql`
    select subject_id as id from bank_operation where id = any(${approved}::uuid[])`);
  expect(charged.map(({ id }) => id).toSorted()).toEqual(answered.toSorted());
  expect(charged).toHaveLength(approved.length);
  const open = sql`select from intent_attempt where status = 'REQUESTED'`;
  expect(await services.db('intents').many(open)).toEqual([]);
}

/** A terminal is blocked if it cannot give its intent up or, after a receipt, take the next one. */
async function isBlocked({ terminal, intent, answer }: Ended): Promise<boolean> {
  if (answer.status !== 201) return (await patiently(() => terminal.decline(intent))).status !== 200;
  const next = await intents.create({ terminalCode: terminal.code });
  const offered = (await patiently(() => terminal.next())).body as { id?: string } | null;
  return offered?.id !== next.id;
}

testInFull(
  `${ROUNDS * TAPS} taps without a broker, half of them under pauses: each has its outcome, none is charged and declined`,
  async () => {
    const ended: Ended[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      if (round === AHEAD) {
        const ahead = new URL('./clock-ahead.ts', import.meta.url).href;
        await services.terminate('intents');
        await services.restart('intents', 0, { NODE_OPTIONS: `--import=${ahead}`, AHEAD_MS: '5000' });
      }
      const ready = await Promise.all(Array.from({ length: TAPS }, () => intents.ready()));
      const [some] = await Promise.all([
        Promise.all(ready.map((one, n) => tap(one, round + n))),
        round % 2 === 1 ? pause(round) : undefined,
      ]);
      ended.push(...some);
    }
    const slowestMs = Math.max(...ended.map(({ tookMs }) => tookMs));
    expect(slowestMs).toBeLessThan(WITHIN_MS);
    const codes = new Set(ended.map(({ answer: { status, body } }) => `${status} ${(body as { code?: string }).code}`));
    expect([...codes].toSorted()).toEqual(['201 undefined', '402 CHARGE_DECLINED']);
    await expectChargedAsAnswered(ended);
    for (const one of ended) expect(await isBlocked(one)).toBe(false);

    await broker.restore();
    const { bank, db } = services;
    await untilAgreed({ bankUrl: bank.url, payments: db('payments'), holds: db('holds'), intents: db('intents') });
    await expectChargedAsAnswered(ended);
  },
);
