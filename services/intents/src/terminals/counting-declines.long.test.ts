import { newId } from '@cobro/contracts/ids.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { approvedCard, declinedCard, refusedCard } from '@cobro/testing/card-numbers.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { tappedCardBody, type TestIntents, testIntents } from '@cobro/testing/test-intents.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createClient } from 'redis';

jest.setTimeout(240_000);

const { url: redisUrl, prefix } = testRedis();
let services: RunningServices;
let intents: TestIntents;
beforeAll(async () => {
  services = await startServices({
    services: ['intents', 'payments'],
    env: { BANK_CALL_TIMEOUT_MS: '5000', REDIS_PREFIX: prefix },
    replicas: { intents: 2 },
  });
  intents = await testIntents(services);
});
afterAll(() => services?.stop());

let cards = 0;
const shortly = ({ status, body }: HttpAnswer) => `${status} ${(body as { code?: string }).code ?? ''}`.trim();
const times = (n: number, what: string) => Array.from({ length: n }, () => what);
/** The intent's row, with all that could change. */
const rowOf = ({ id }: { id: string }) =>
  services.db('intents').one<{ row: string }>(sql`select row(i)::text as row from payment_intent i where id = ${id}`);
/** So little time that the terminal gets 202 before the outcome is known. */
const IMPATIENT = { 'x-remaining-ms': '12000' };

describe('declines at terminals', () => {
  test('are 5 of a card, whatever the expiry and the terminal; then 429 leaves the intent as it was', async () => {
    const tapOften = async () => {
      const both = [await intents.ready(), await intents.ready()] as const;
      const number = declinedCard(++cards);
      const answers: HttpAnswer[] = [];
      for (let n = 0; n < 40; n++) {
        const { terminal, intent } = both[n % 2 === 0 ? 0 : 1];
        const card = { ...tappedCardBody(number), expirationMonth: 1 + (n % 12), expirationYear: 2033 + (n % 5) };
        answers.push(await terminal.pay(intent, undefined, { card }, { replica: n % 2 }));
      }
      return { both, number, answers };
    };
    const timesAlone = () => services.logs('intents').split('keeps the limits alone').length;
    let alone = timesAlone();
    let tapped = await tapOften();
    // A replica that stood still for 70 ms counts without Redis meanwhile, and logs that.
    for (let tries = 0; tries < 4 && timesAlone() > alone; tries++) {
      alone = timesAlone();
      tapped = await tapOften();
    }
    const { number, answers } = tapped;
    const [first, second] = tapped.both;
    expect(answers.map(shortly)).toEqual([...times(5, '402 CHARGE_DECLINED'), ...times(35, '429 TOO_MANY_ATTEMPTS')]);
    const retryAfter = Number(answers.at(-1)?.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(500);
    expect(retryAfter).toBeLessThanOrEqual(600);
    const before = await rowOf(first.intent);
    expect(await first.terminal.pay(first.intent, number)).toMatchObject(refusal(429, 'TOO_MANY_ATTEMPTS'));
    expect(await rowOf(first.intent)).toEqual(before);
    expect(await first.terminal.pay(first.intent, approvedCard(++cards))).toMatchObject({ status: 201 });
    expect(await second.terminal.pay(second.intent, approvedCard(++cards))).toMatchObject({ status: 201 });
  });

  test('are 20 of a terminal, those of the vault and of payments included', async () => {
    const { terminal, intent } = await intents.ready();
    const decline = [
      () => terminal.pay(intent, declinedCard(++cards)),
      () => terminal.pay(intent, refusedCard(++cards)),
      // A debit card cannot pay in installments, which is known only after the vault has taken it.
      () => terminal.pay(intent, approvedCard(++cards), { terms: 3 }),
    ];
    const answers: HttpAnswer[] = [];
    for (let n = 0; n < 22; n++) answers.push((await decline[n % 3]?.()) as HttpAnswer);
    expect(answers.map(shortly)).toEqual([...times(20, '402 CHARGE_DECLINED'), ...times(2, '429 TOO_MANY_ATTEMPTS')]);
    const other = await intents.ready();
    expect(await other.terminal.pay(other.intent, approvedCard(++cards))).toMatchObject({ status: 201 });
  });

  test('of one attempt that is sent several times count once', async () => {
    const { terminal, intent } = await intents.ready();
    const number = declinedCard(++cards);
    for (let n = 0; n < 5; n++) {
      const attemptId = newId();
      const send = (replica: number) => terminal.pay(intent, number, { attemptId }, { replica });
      const answers = [...(await Promise.all([0, 1, 0, 1].map(send))), await send(0)];
      expect(answers.map(shortly)).toEqual(times(5, '402 CHARGE_DECLINED'));
    }
    expect(await terminal.pay(intent, number)).toMatchObject(refusal(429, 'TOO_MANY_ATTEMPTS'));
  });

  test('are not what an approval, or a bank that is away, leaves', async () => {
    const number = approvedCard(++cards);
    const terminal = await intents.terminal();
    for (let n = 0; n < 7; n++) {
      const intent = await intents.create({ terminalCode: terminal.code });
      expect(await terminal.pay(intent, number)).toMatchObject({ status: 201 });
    }
    const intent = await intents.create({ terminalCode: terminal.code });
    await services.bank.kill();
    for (let n = 0; n < 7; n++) {
      expect(await terminal.pay(intent, number)).toMatchObject(refusal(503, 'BANK_UNAVAILABLE'));
    }
    await services.bank.start();
    await until('the bank is back', async () => (await terminal.pay(intent, number)).status === 201);
  });

  test('that are learnt after the terminal was answered count as well', async () => {
    const number = declinedCard(++cards);
    const tried = await Promise.all(Array.from({ length: 5 }, () => intents.ready()));
    const next = tried.map(() => ({ kind: 'sale', fault: 'silentDone' }));
    await services.bank.setFaults({ ...unansweredInquiries, next });
    const answers = await Promise.all(
      tried.map(({ terminal, intent }) => terminal.pay(intent, number, {}, { headers: IMPATIENT })),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    await services.bank.setFaults({});
    await until('all are declined', async () => {
      const { open } = await services.db('intents').one<{ open: number }>(sql`
        select count(*)::int as open from intent_attempt where status = 'REQUESTED'`);
      return open === 0;
    });
    const { terminal, intent } = await intents.ready();
    expect(await terminal.pay(intent, number)).toMatchObject(refusal(429, 'TOO_MANY_ATTEMPTS'));
  });

  test('that turn out to be approvals free their slots, though the terminal was answered before', async () => {
    const tried = await Promise.all(Array.from({ length: 5 }, () => intents.ready()));
    const { terminal, intent } = await intents.ready();
    await services.bank.setFaults(unansweredInquiries);
    const answers = await Promise.all(
      tried.map((at) => at.terminal.pay(at.intent, testCards.silentDone, {}, { headers: IMPATIENT })),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    expect(await terminal.pay(intent, testCards.silentDone)).toMatchObject(refusal(429, 'TOO_MANY_ATTEMPTS'));
    await services.bank.setFaults({});
    await until('a slot is free', async () => (await terminal.pay(intent, testCards.silentDone)).status !== 429);
    expect(await terminal.ask(intent)).toMatchObject({ status: 200 });
  });

  test('leave no number of a card in Redis', async () => {
    const client = await createClient({ url: redisUrl }).connect();
    const keys = await client.keys(`${prefix}*`);
    client.destroy();
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => key.includes(':card:') && !/:terminal:card:[\w-]{43}$/.test(key))).toEqual([]);
  });
});

test('a Redis that refuses is one error line, degrades the replica, and leaves the limits to it', async () => {
  await services.terminate('intents', 1);
  await services.restart('intents', 1, { REDIS_URL: redisUrl.replace(/:[^:@]*@/, ':another@') });
  const readiness = () => services.call('intents', { path: '/health/ready', replica: 1 });
  await until('it is degraded, and ready', async () => {
    const { status, body } = await readiness();
    return status === 200 && JSON.stringify(body).includes('redis_refuses');
  });
  // The log reaches this process by a pipe of its own, so it may come after the readiness.
  await until('it is said', async () => services.logs('intents').includes('Redis answers WRONGPASS'));
  const { terminal, intent } = await intents.ready();
  const number = declinedCard(++cards);
  const answers: HttpAnswer[] = [];
  for (let n = 0; n < 6; n++) answers.push(await terminal.pay(intent, number, {}, { replica: 1 }));
  expect(answers.map(shortly)).toEqual([...times(5, '402 CHARGE_DECLINED'), '429 TOO_MANY_ATTEMPTS']);
  expect(services.logs('intents').split('Redis answers WRONGPASS').length - 1).toBe(1);
});

test('a terminal with an intent of its own cannot learn from an unassigned one which cards the vault takes', async () => {
  const { terminal } = await intents.ready();
  const unassigned = await intents.create();
  const before = (await services.bank.operations()).length;
  for (const number of [refusedCard(++cards), approvedCard(++cards)]) {
    expect(await terminal.pay(unassigned, number)).toMatchObject(refusal(409, 'INTENT_IN_PROGRESS'));
  }
  expect((await services.bank.operations()).length).toBe(before);
});
