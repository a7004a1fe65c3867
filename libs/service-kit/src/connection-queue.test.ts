import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Dispatcher, Pool } from 'undici';
import { listening } from '@cobro/testing/listening.ts';
import { until } from '@cobro/testing/until.ts';
import { boundedQueue, NoConnection, type QueuedOptions } from './connection-queue.ts';

const CONNECTIONS = 2;
/** Requests that wait for their answer, by path. */
let open: Map<string, ServerResponse>;
let received: string[];
let url: string;
let pool: Dispatcher;
let close: () => Promise<void>;

beforeEach(async () => {
  open = new Map();
  received = [];
  const server = await listening(
    createServer((req, res) => {
      received.push(req.url ?? '');
      open.set(req.url ?? '', res);
    }),
  );
  url = server.url;
  pool = new Pool(url, { connections: CONNECTIONS }).compose(boundedQueue(CONNECTIONS));
  close = async () => {
    await pool.destroy();
    await server.close();
  };
});
afterEach(() => close());

const ask = async (path: string) => {
  const { body } = await pool.request({ method: 'GET', path });
  return body.text();
};
/** Its requests wait as long as a slow machine needs. */
const patientPool = (perCaller: number) =>
  new Pool(url, { connections: CONNECTIONS }).compose(boundedQueue(CONNECTIONS, perCaller, 60_000));
const answer = (path: string) => open.get(path)?.end('done');
const bothTaken = () => until('both connections are taken', async () => open.size === CONNECTIONS);

describe('a request for which all connections are taken', () => {
  test('is sent when one comes free within a second', async () => {
    pool = patientPool(CONNECTIONS);
    const first = [ask('/1'), ask('/2')];
    await bothTaken();
    const waiting = ask('/3');
    setTimeout(() => answer('/1'), 400);
    await until('it is sent', async () => open.has('/3'));
    for (const path of ['/2', '/3']) answer(path);
    expect(await Promise.all([...first, waiting])).toEqual(['done', 'done', 'done']);
  });

  test('is given up after a second, and never sent', async () => {
    const first = [ask('/1'), ask('/2')];
    await bothTaken();
    const begun = performance.now();
    await expect(ask('/3')).rejects.toThrow(NoConnection);
    const waited = performance.now() - begun;
    expect(waited).toBeGreaterThan(950);
    expect(waited).toBeLessThan(5_000);
    for (const path of ['/1', '/2']) answer(path);
    await Promise.all(first);
    const later = ask('/4');
    await until('the next one is sent', async () => open.has('/4'));
    answer('/4');
    expect(await later).toBe('done');
    expect(received.toSorted()).toEqual(['/1', '/2', '/4']);
  });

  test('comes in its turn, however many wait', async () => {
    pool = patientPool(CONNECTIONS);
    const asked = Array.from({ length: 20 }, (_, n) => ask(`/${n}`));
    for (let n = 0; n < 20; n++) {
      await until(`/${n} is sent`, async () => open.has(`/${n}`));
      answer(`/${n}`);
    }
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['done']));
    const inTurn = received.map((path) => Number(path.slice(1)));
    expect(inTurn).toEqual(inTurn.toSorted((a, b) => a - b));
  });

  test('takes turns with those of other callers, of whom nobody has more than a share', async () => {
    const shared = patientPool(1);
    const askAs = async (caller: string, path: string) => {
      const options: QueuedOptions & Dispatcher.RequestOptions = { method: 'GET', path, caller };
      return (await shared.request(options)).body.text();
    };
    const asked = ['1', '2', '3'].map((n) => askAs('flood', `/flood-${n}`));
    asked.push(askAs('other', '/other-1'), askAs('third', '/third-1'));
    await until('each has one connection', async () => open.size === 2);
    expect(received.toSorted()).toEqual(['/flood-1', '/other-1']);
    for (const [path, next] of [
      ['/other-1', '/third-1'],
      ['/flood-1', '/flood-2'],
      ['/flood-2', '/flood-3'],
    ] as const) {
      answer(path);
      await until(`${next} is sent`, async () => open.has(next));
    }
    for (const path of ['/third-1', '/flood-3']) answer(path);
    expect(await Promise.all(asked)).toEqual(asked.map(() => 'done'));
    await shared.destroy();
  });

  test('is sent in its own context', async () => {
    pool = patientPool(CONNECTIONS);
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const note = (message: unknown) => {
      seen.push([(message as { request: { path: string } }).request.path, context.getStore()]);
    };
    subscribe('undici:request:create', note);
    const asked = ['/1', '/2', '/3'].map((path) => context.run(`of ${path}`, () => ask(path)));
    for (const path of ['/1', '/2', '/3']) {
      await until(`${path} is sent`, async () => open.has(path));
      answer(path);
    }
    await Promise.all(asked);
    unsubscribe('undici:request:create', note);
    expect(seen).toEqual(['/1', '/2', '/3'].map((path) => [path, `of ${path}`]));
  });

  test('fails as it would without a bound where the connection breaks', async () => {
    pool = patientPool(CONNECTIONS);
    const first = ask('/1');
    await until('it is there', async () => open.has('/1'));
    const others = [ask('/2'), ask('/3')];
    open.get('/1')?.destroy();
    await expect(first).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    await until('its permit is free', async () => open.has('/3'));
    for (const path of ['/2', '/3']) answer(path);
    expect(await Promise.all(others)).toEqual(['done', 'done']);
  });
});
