import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { NODE_ARGUMENTS } from '@cobro/service-kit/node-arguments.ts';

export type Body = Record<string, unknown>;
export type Answered = { status: number; body: Body };

/**
 * A bank for one test alone: the real process on a ledger in a temporary folder, with a clock that the test moves. Nobody else
 * may get the port while the bank is down.
 */
export async function spawnBank(port: number) {
  const folder = mkdtempSync(join(tmpdir(), 'cobro-bank-'));
  let offsetMs = 0;
  const clock = createServer((_req, res) => void res.end(JSON.stringify({ offsetMs })));
  const clockPort = await listen(clock);
  const bank = bankProcess(port, {
    LEDGER_PATH: join(folder, 'ledger.sqlite'),
    CLOCK_URL: `http://127.0.0.1:${clockPort}`,
  });
  const { call, ...client } = bankClient(`http://127.0.0.1:${port}`);
  await bank.start();
  return {
    folder,
    call,
    ...client,
    start: bank.start,
    kill: () => bank.end('SIGKILL'),
    terminate: () => bank.end('SIGTERM'),
    output: bank.output,
    async moveClock(to: number): Promise<void> {
      offsetMs = to;
      await call('PUT', '/internal/clock', { offsetMs });
    },
    async close(): Promise<void> {
      await bank.end('SIGKILL');
      clock.closeAllConnections();
      clock.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function bankProcess(port: number, env: Record<string, string>) {
  let output = '';
  let running: ChildProcess | undefined;
  return {
    output: () => output,
    async start(): Promise<void> {
      const { NODE_COMPILE_CACHE } = process.env;
      const child = spawn(process.execPath, [...NODE_ARGUMENTS, join(import.meta.dirname, 'main.ts')], {
        env: { NODE_COMPILE_CACHE, HOST: '127.0.0.1', PORT: String(port), DRAIN_DELAY_MS: '0', ...env },
        stdio: 'pipe',
      });
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      running = child;
      for (;;) {
        const live = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined);
        if (live?.ok) return;
        if (child.exitCode !== null) throw new Error(`the bank did not start:\n${output}`);
        await sleep(25);
      }
    },
    /** Resolves with the exit code once the process is gone. */
    async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
      if (running === undefined) return null;
      const exit = running.exitCode === null ? once(running, 'exit') : [running.exitCode];
      running.kill(signal);
      running = undefined;
      const [code] = (await exit) as [number | null];
      return code;
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
    /** An operation with an idempotency key, which is new unless given, and the fields that most tests do not care for. */
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

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
