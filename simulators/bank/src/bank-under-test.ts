import { randomUUID } from 'node:crypto';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import { bankOn } from '@cobro/testing/start-bank.ts';
import { openTestClock } from '@cobro/testing/test-clock.ts';

export type Body = Record<string, unknown>;
export type Answered = { status: number; body: Body };

/** A bank for one test alone: the real process on a ledger in a temporary folder, with a clock that the test moves. */
export async function spawnBank() {
  let offsetMs = 0;
  const clock = await openTestClock();
  const bank = bankOn(await freePort(), { CLOCK_URL: clock.url });
  const { call, ...client } = bankClient(bank.url);
  await bank.start();
  return {
    ...bank,
    call,
    ...client,
    async moveClock(to: number): Promise<void> {
      await clock.move(to - offsetMs, [bank]);
      offsetMs = to;
    },
    async close(): Promise<void> {
      await bank.close();
      await clock.close();
    },
  };
}

function bankClient(url: string) {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    timeoutMs = 20_000,
  ): Promise<Answered> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', ...headers },
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  };
  return {
    call,
    /** An operation with an idempotency key (new unless given) and the fields that most tests do not care for. */
    post: (path: string, body: Body, key: string = randomUUID(), timeoutMs?: number): Promise<Answered> =>
      call('POST', `/v1${path}`, { ...unlessGiven[path], ...body }, { 'idempotency-key': key }, timeoutMs),
    inquire: async (key: string, close = false): Promise<Body> =>
      (await call('POST', '/v1/inquiries', { idempotencyKey: key, close })).body,
    /** Every operation on the books, oldest first. */
    operations: async (): Promise<Body[]> => (await call('GET', '/operations?limit=1000')).body['data'] as Body[],
  };
}

const charge = { initiatedBy: 'customer', merchant: { id: randomUUID(), descriptor: null } };
const unlessGiven: Record<string, Body> = {
  '/tokens': { use: 'saved' },
  '/authorizations': charge,
  '/sales': { ...charge, terms: 1 },
};

export type SpawnedBank = Awaited<ReturnType<typeof spawnBank>>;

export function cardOf(name: keyof typeof testCards): Body {
  const number = testCards[name];
  return { number, expirationMonth: 12, expirationYear: 2040, cvc: '123', holderName: 'Ana Torres' };
}

/** Bank operations in a test's words. Amounts are centavos, and each operation returns the bank's answer. */
export function teller({ post }: Pick<SpawnedBank, 'post'>) {
  const token = async (name: keyof typeof testCards = 'approved'): Promise<string> =>
    String((await post('/tokens', cardOf(name))).body['token']);
  const chargeAt = (path: string) => async (amount: number, name?: keyof typeof testCards) =>
    (await post(path, { token: await token(name), amount, currency: 'MXN' })).body;
  return {
    token,
    authorize: chargeAt('/authorizations'),
    sell: chargeAt('/sales'),
    capture: async (authorization: Body, amount: number) =>
      (await post('/captures', { authorization: authorization['reference'], amount })).body,
    void: async (authorization: Body) => (await post('/voids', { authorization: authorization['reference'] })).body,
    refund: async (original: Body, amount: number) =>
      (await post('/refunds', { original: original['reference'], amount })).body,
  };
}
