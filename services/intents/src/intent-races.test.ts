import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { approvedCard, declinedCard } from '@cobro/testing/card-numbers.ts';
import { type HeardEvents, hearEvents } from '@cobro/testing/hear-events.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestIntent, type TestIntents, testIntents, type TestTerminal } from '@cobro/testing/test-intents.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';

const MOVES = inFull ? 3_000 : 200;
const AT_ONCE = 12;
jest.setTimeout(MOVES * 500 + 120_000);

let services: RunningServices;
let intents: TestIntents;
let heard: HeardEvents;
/** Each tap has a card of its own, because of the decline limits of a card. */
let cards = 0;
beforeAll(async () => {
  const bounds = { BANK_CALLS: '500', BANK_CALLS_PER_MERCHANT: '500' };
  services = await startServices({
    services: ['intents', 'payments'],
    replicas: { intents: 2, payments: 2 },
    env: { ...bounds, BANK_CALL_TIMEOUT_MS: '8000' },
  });
  intents = await testIntents(services);
  heard = await hearEvents(services.broker);
});
afterAll(async () => {
  await heard?.close();
  await services?.stop();
});

/** The same numbers in every run, so that a failure can be looked at again. */
function dice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

interface End {
  id: string;
  terminalId: string | null;
  status: string;
  supersededBy: string | null;
}

const ALLOWED: Record<string, string[]> = {
  create: ['201'],
  next: ['200', '204'],
  cancel: ['200', 'INTENT_NOT_PENDING', 'INTENT_IN_PROGRESS'],
  decline: ['200', 'INTENT_NOT_PENDING', 'INTENT_IN_PROGRESS', 'PAYMENT_INTENT_NOT_FOUND'],
  pay: [
    '201',
    '202',
    'CHARGE_DECLINED',
    'TOO_MANY_ATTEMPTS',
    'INTENT_NOT_PENDING',
    'INTENT_IN_PROGRESS',
    'PAYMENT_INTENT_NOT_FOUND',
  ],
};

test('however creates, polls, payments, declines and cancels meet on a handful of terminals, every history is one that the rules allow', async () => {
  const roll = dice(20_261_122);
  const terminals: TestTerminal[] = [];
  for (let i = 0; i < 5; i++) terminals.push(await intents.terminal());
  const made: TestIntent[] = [];
  const answers: [move: string, answer: HttpAnswer][] = [];
  const any = <T>(all: T[]): T | undefined => all[roll(all.length)];
  // Recent intents are likely to be in use by other players.
  const recent = () => any(made.slice(-6));

  // A 503 of a slow machine changes nothing, so the same request is sent again.
  const move = async (): Promise<[string, HttpAnswer] | undefined> => {
    const terminal = any(terminals);
    const intent = recent();
    const replica = { replica: roll(2) };
    const chosen = roll(10);
    if (terminal === undefined) return undefined;
    if (chosen < 4 || intent === undefined) {
      const asked = { externalId: newId(), ...(chosen === 0 ? {} : { terminalCode: terminal.code }) };
      const answer = await patiently(() => intents.request(asked, replica));
      if (answer.status === 201) made.push(answer.body as TestIntent);
      return ['create', answer];
    }
    if (chosen < 6) return ['next', await patiently(() => terminal.next(0, replica))];
    if (chosen === 6) return ['cancel', await patiently(() => intents.cancel(intent, replica))];
    const by = terminals.find(({ id }) => id === intent.terminalId) ?? terminal;
    if (chosen === 7) return ['decline', await patiently(() => by.decline(intent, replica))];
    const card = (roll(3) === 0 ? declinedCard : approvedCard)(++cards);
    const attemptId = newId();
    return ['pay', await patiently(() => by.pay(intent, card, { attemptId }, replica))];
  };
  let left = MOVES;
  // One move of a hundred pays, so the game goes on until some have.
  const somePaid = () => answers.filter(([what, { status }]) => what === 'pay' && status === 201).length > 2;
  const player = async () => {
    while (left-- > 0 || (!somePaid() && left > -10 * MOVES)) {
      const done = await move();
      if (done !== undefined) answers.push(done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, player));

  const odd = answers.filter(([what, { status, body }]) => {
    const code = (body as { code?: string }).code;
    return !(ALLOWED[what] ?? []).includes(code ?? String(status));
  });
  expect(odd.map(([what, { status, body }]) => [what, status, body])).toEqual([]);

  const read = () =>
    services.db('intents').many<End & { charging: string | null }>(sql`
      select id, terminal_id as "terminalId", status, superseded_by as "supersededBy", charging_payment_id as charging
      from payment_intent order by created_at, id`);
  await until('no card is being charged', async () => (await read()).every(({ charging }) => charging === null));
  const ends = await read();
  expect(ends.length).toBe(made.length);

  // A terminal has at most one open intent.
  const open = ends.filter(({ status, terminalId }) => status === 'PENDING' && terminalId !== null);
  expect(new Set(open.map(({ terminalId }) => terminalId)).size).toBe(open.length);

  // Each paid intent was charged once, every other one never.
  const payments = await services.db('payments').many<{ intent: string; status: string }>(sql`
    select payment_intent_id as intent, status from payment where payment_intent_id is not null`);
  const confirmed = new Map(Object.entries(Object.groupBy(payments, ({ intent }) => intent)));
  for (const { id, status } of ends) {
    const paid = (confirmed.get(id) ?? []).filter((payment) => payment.status === 'CONFIRMED');
    expect([id, status, paid.length]).toEqual([id, status, status === 'CONFIRMED' ? 1 : 0]);
  }
  const sales = (await services.bank.operations()).filter(
    ({ kind, outcome }) => kind === 'sale' && outcome === 'approved',
  );
  expect(sales).toHaveLength(ends.filter(({ status }) => status === 'CONFIRMED').length);
  const { count } = await services.db('payments').one<{ count: bigint }>(sql`select count(*) from tap`);
  expect(count).toBe(0n);

  // Each end was published once. A superseded intent names a later one of the same terminal.
  const terminalOf = new Map(ends.map(({ id, terminalId }) => [id, terminalId]));
  const ENDINGS = new Set(['IntentSuperseded', 'IntentCancelled', 'IntentExpired']);
  const endingsOf = (id: string) => heard.of(id).filter(({ type }) => ENDINGS.has(type));
  const cancelled = ends.filter(({ status }) => status === 'CANCELLED');
  await until('every end is published', () => cancelled.every(({ id }) => endingsOf(id).length > 0));
  for (const { id, terminalId, supersededBy } of cancelled) {
    const [ending, ...more] = endingsOf(id);
    expect([id, more]).toEqual([id, []]);
    if (ending?.type !== 'IntentSuperseded') continue;
    expect(ending.data).toMatchObject({ terminalId, supersededBy });
    expect(terminalOf.get(supersededBy ?? '')).toBe(terminalId);
  }
  for (const { id } of ends.filter(({ status }) => status !== 'CANCELLED')) expect(endingsOf(id)).toEqual([]);
  // The game reached every status.
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['PENDING', 'CONFIRMED', 'CANCELLED']));
});
