import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@cobro/postgres/database.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type ShownIntent, type TestIntents, testIntents } from '@cobro/testing/test-intents.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

let services: RunningServices;
let intents: TestIntents;
beforeAll(async () => {
  services = await startServices({ services: ['intents'], replicas: { intents: 2 } });
  intents = await testIntents(services, false);
});
afterAll(() => services?.stop());

const idOf = (answer: { body: unknown }) => (answer.body as ShownIntent).id;

describe('the next intent of a terminal', () => {
  test('is what the cashier asked for, and comes again until it is decided', async () => {
    const terminal = await intents.terminal();
    expect(await terminal.next()).toMatchObject({ status: 204 });
    const intent = await intents.create({ terminalCode: terminal.code, amount: 99.5 });
    const shown = await terminal.next();
    expect(shown).toMatchObject({
      status: 200,
      body: { id: intent.id, amount: 99.5, currency: 'MXN', externalId: intent.externalId, redirectAppId: null },
    });
    const { createdAt, expiresAt } = shown.body as ShownIntent;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(15 * 60_000);
    expect(idOf(await terminal.next())).toBe(intent.id);
    expect(await terminal.decline(intent)).toMatchObject({ status: 200, body: {} });
    expect(await terminal.decline(intent)).toMatchObject({ status: 200, body: {} });
    expect(await terminal.next()).toMatchObject({ status: 204 });
  });

  test('is its own first, then the oldest that no terminal has taken, which is bound from then on', async () => {
    const merchant = await testIntents(services, false);
    const [terminal, other] = [await merchant.terminal(), await merchant.terminal()];
    const [older, newer] = [await merchant.create(), await merchant.create()];
    const own = await merchant.create({ terminalCode: terminal.code });
    expect(idOf(await terminal.next())).toBe(own.id);
    await terminal.decline(own);
    expect(idOf(await terminal.next())).toBe(older.id);
    expect(idOf(await other.next())).toBe(newer.id);
    expect(idOf(await terminal.next())).toBe(older.id);
    expect(await other.ask(older)).toMatchObject({ status: 404 });
    expect(await terminal.ask(older)).toMatchObject({ status: 200, body: { id: older.id, status: 'PENDING' } });
  });

  test('is never another merchant’s, and never one that has expired', async () => {
    const [merchant, stranger] = [await testIntents(services, false), await testIntents(services, false)];
    const terminal = await merchant.terminal();
    await stranger.create();
    const own = await merchant.create({ terminalCode: terminal.code });
    const unassigned = await merchant.create();
    await services.moveClock(15 * 60_000);
    expect(await terminal.next()).toMatchObject({ status: 204 });
    for (const intent of [own, unassigned]) {
      await until('it is closed', async () => (await merchant.read(intent)).status === 200);
      expect(await merchant.read(intent)).toMatchObject({ body: { expired: true } });
    }
  });

  test.each([['26'], ['-1'], ['1.5'], ['abc']])('refuses waitSeconds=%s', async (waitSeconds) => {
    const terminal = await intents.terminal();
    expect(await terminal.next(waitSeconds as unknown as number)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', message: expect.stringContaining('waitSeconds') },
    });
  });
});

describe('a terminal that waits', () => {
  test('at one replica gets an intent that another replica makes', async () => {
    const terminal = await intents.terminal();
    const waiting = terminal.next(20, { replica: 1 });
    await sleep(300);
    const intent = await intents.create({ terminalCode: terminal.code }, { replica: 0 });
    expect(idOf(await waiting)).toBe(intent.id);
  });

  test('gets 204 when its time is over, and when a newer request of the same terminal comes', async () => {
    const terminal = await intents.terminal();
    const began = Date.now();
    const older = terminal.next(20);
    await sleep(200);
    expect(await terminal.next(1)).toMatchObject({ status: 204 });
    expect(await older).toMatchObject({ status: 204 });
    expect(Date.now() - began).toBeLessThan(15_000);
  });

  test('costs the database no query', async () => {
    const merchant = await testIntents(services, false);
    const terminals = await Promise.all(Array.from({ length: 30 }, () => merchant.terminal()));
    let answered = 0;
    const waiting = terminals.map((terminal) => terminal.next(9).finally(() => answered++));
    const looks = async () =>
      (
        await services.db('intents').one<{ count: bigint }>(sql`
          select coalesce(sum(idx_scan + coalesce(seq_scan, 0)), 0)::bigint as count
          from pg_stat_user_tables where relname = 'terminal'`)
      ).count;
    // Waits until all of them wait, which takes a slow machine a while.
    let isQuiet = false;
    for (let tries = 0; tries < 5 && !isQuiet; tries++) {
      const before = await looks();
      await sleep(1_500);
      isQuiet = (await looks()) === before && tries > 0 && answered === 0;
    }
    expect(isQuiet).toBe(true);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(terminals.map(() => 204));
  });

  test('of five that wait for one unassigned intent one gets it, on whichever replica; three get three', async () => {
    const merchant = await testIntents(services, false);
    const terminals = await Promise.all(Array.from({ length: 5 }, () => merchant.terminal()));
    for (const count of [1, 3]) {
      const waiting = terminals.map((terminal, i) => terminal.next(5, { replica: i % 2 }));
      await sleep(500);
      const made = await Promise.all(Array.from({ length: count }, () => merchant.create()));
      const answers = await Promise.all(waiting);
      const got = answers.filter(({ status }) => status === 200).map(idOf);
      expect(got.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
      for (const intent of made) await merchant.cancel(intent);
    }
  });

  test('gets what came while its replica heard nothing', async () => {
    const merchant = await testIntents(services, false);
    const terminal = await merchant.terminal();
    const waiting = terminal.next(20, { replica: 1 });
    await sleep(500);
    await services.db('intents').run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'intents listener' and datname = current_database()`);
    const intent = await merchant.create({ terminalCode: terminal.code }, { replica: 0 });
    expect(idOf(await waiting)).toBe(intent.id);
  });

  test('gets 204 at once from a process that is asked to end, which ends with 0', async () => {
    const terminal = await intents.terminal();
    const waiting = terminal.next(25, { replica: 1 });
    await sleep(500);
    // Once this is answered, everything sent before has arrived.
    await services.call('intents', { path: '/health/live', replica: 1 });
    const ended = services.terminate('intents', 1);
    expect(await waiting).toMatchObject({ status: 204 });
    expect(await ended).toBe(0);
    await services.restart('intents', 1);
  });
});
