import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { proxyTo, type TcpProxy } from '@cobro/testing/tcp-proxy.ts';
import { until } from '@cobro/testing/until.ts';
import { type Database, openDatabase, sql, type Tx } from './database.ts';

let database: TestDatabase;
let proxy: TcpProxy;
let db: Database;

beforeAll(async () => {
  database = await testDatabase({ name: 'kept', migrations: [] });
  proxy = await proxyTo(database.url);
  await proxy.restore();
  db = openDatabase({ url: proxy.url, schema: 'kept' });
  await db.run(sql`create table account (id int primary key, centavos int8 not null, at timestamptz(3))`);
});
beforeEach(async () => {
  await db.run(sql`truncate account`);
  await db.run(sql`insert into account (id, centavos) values (1, 0), (2, 0)`);
});
afterAll(async () => {
  await db.close();
  await proxy.cut();
  await database.drop();
});

const centavosOf = async (id: number) =>
  (await db.one<{ centavos: bigint }>(sql`select centavos from account where id = ${id}`)).centavos;
const add = (id: number, centavos: bigint) =>
  sql`update account set centavos = centavos + ${centavos} where id = ${id}`;

describe('a database', () => {
  test('reads int8 as bigint and timestamptz as Date, to the millisecond', async () => {
    const at = new Date('2026-05-05T12:00:00.123Z');
    await db.run(sql`update account set centavos = ${9_007_199_254_740_993n}, at = ${at} where id = 1`);
    const row = await db.one<{ centavos: bigint; at: Date }>(sql`select centavos, at from account where id = 1`);
    expect(row).toEqual({ centavos: 9_007_199_254_740_993n, at });
  });

  test('gives rows and counts', async () => {
    expect(await db.many(sql`select id from account order by id`)).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await db.maybe(sql`select id from account where id = 9`)).toBeUndefined();
    await expect(db.one(sql`select id from account where id = 9`)).rejects.toThrow('no row');
    expect(await db.run(sql`delete from account`)).toBe(2);
  });

  test('survives the loss of its connections', async () => {
    await db.ping();
    await proxy.cut();
    await expect(db.ping()).rejects.toThrow('the database is not available');
    const lost = db.inTransaction((tx) => tx.run(add(1, 5n)));
    await expect(lost).rejects.toThrow('the database is not available');
    await proxy.restore();
    await db.inTransaction((tx) => tx.run(add(1, 7n)));
    expect(await centavosOf(1)).toBe(7n);
  });
});

test('a statement whose new connection does not come in time takes one that has become free', async () => {
  const one = openDatabase({ url: proxy.url, schema: 'kept', applicationName: 'one of two' });
  const sleeps = async () =>
    (
      await db.many(sql`
        select from pg_stat_activity where application_name = 'one of two' and wait_event = 'PgSleep'`)
    ).length;
  const busy = one.run(sql`select pg_sleep(1)`);
  await until('its only connection is busy', async () => (await sleeps()) === 1);
  proxy.holdNew(true);
  await expect(one.one(sql`select 1 as it`).finally(() => proxy.holdNew(false))).resolves.toEqual({ it: 1 });
  await busy;
  await one.close();
});

describe('a server that keeps a statement waiting', () => {
  const unavailable = (code?: string) => ({ name: 'DatabaseUnavailable', code });
  /** How it failed, and after how many milliseconds. */
  const failure = async (work: Promise<unknown>) => {
    const begun = performance.now();
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { error, ms: performance.now() - begun };
  };

  test('because it hangs is unavailable after six seconds, and its connections are not used again', async () => {
    await Promise.all([1, 2, 3].map(() => db.run(sql`select 1`)));
    const heard: string[] = [];
    const [begun, moving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hung = db.inTransaction(async (tx) => {
      await tx.run(add(1, 5n));
      begun.resolve();
      await moving.promise;
      tx.afterCommit(() => heard.push('committed'));
      await tx.run(add(2, 5n));
    });
    await begun.promise;
    proxy.hang();
    moving.resolve();
    const works = [hung, db.one(sql`select 1`), db.inTransaction((tx) => tx.run(add(1, 7n)))];
    for (const { error, ms } of await Promise.all(works.map(failure))) {
      expect(error).toMatchObject(unavailable());
      expect(ms).toBeGreaterThan(5_900);
      expect(ms).toBeLessThan(15_000);
    }
    // New connections do not hang; the earlier ones, which would, are gone.
    const added = () =>
      db
        .inTransaction((tx) => tx.run(add(1, 1n)))
        .then(
          () => true,
          // The server may not have noticed yet that the connection with the lock is gone.
          (error: unknown) => (error as { code?: unknown }).code !== '55P03' && Promise.reject(error as Error),
        );
    await until('the row is free', added);
    await Promise.all(Array.from({ length: 15 }, () => db.run(sql`select 1`)));
    proxy.resume();
    expect([await centavosOf(1), await centavosOf(2), heard]).toEqual([1n, 0n, []]);
  });

  test('for too long with a statement or a lock says so, and the connection stays', async () => {
    const pid = async (tx: Tx) => (await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid;
    const single = openDatabase({ url: database.url, schema: 'kept', max: 1 });
    const before = await single.inTransaction(pid);
    const locked = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    const locking = db.inTransaction(async (tx) => {
      await tx.run(add(1, 1n));
      locked.resolve();
      await free.promise;
    });
    await locked.promise;
    await expect(single.inTransaction((tx) => tx.run(add(1, 1n)))).rejects.toMatchObject(unavailable('55P03'));
    const nobodyWaits = single.inTransaction(async (tx) => {
      tx.send(add(1, 1n));
      await tx.run(add(2, 1n));
    });
    await expect(nobodyWaits).rejects.toMatchObject(unavailable('55P03'));
    free.resolve();
    await locking;
    await expect(single.inTransaction((tx) => tx.run(sql`select pg_sleep(6)`))).rejects.toMatchObject(
      unavailable('57014'),
    );
    expect(await single.inTransaction(pid)).toBe(before);
    await single.close();
  });

  test('for a connection, all of which are taken, is unavailable after a second', async () => {
    const single = openDatabase({ url: database.url, schema: 'kept', max: 1 });
    const free = Promise.withResolvers<void>();
    const busy = single.inTransaction(() => free.promise);
    const { error, ms } = await failure(single.run(sql`select 1`));
    expect(error).toMatchObject(unavailable());
    expect(ms).toBeGreaterThan(950);
    expect(ms).toBeLessThan(5_000);
    free.resolve();
    await busy;
    await single.run(sql`select 1`);
    await single.close();
  });

  test('answers a ping while all of its connections are taken, and many at once with one more connection', async () => {
    const full = openDatabase({
      url: database.url,
      schema: 'kept',
      applicationName: 'full',
      max: 3,
      connectWithinMs: 60_000,
    });
    const free = Promise.withResolvers<void>();
    let busy = 0;
    const take = () =>
      full.inTransaction(async (tx) => {
        await tx.run(sql`select 1`);
        busy++;
        await free.promise;
      });
    const taken = Promise.all([1, 2, 3].map(take));
    await until('all connections are taken', () => busy === 3);
    const waiting = full.run(sql`select 1`);

    const answers = await Promise.all(Array.from({ length: 20 }, () => full.ping()));

    expect(answers).toEqual(Array.from({ length: 20 }, () => ({ readOnly: false, clocksDiffer: false })));
    const { open } = await db.one<{ open: number }>(
      sql`select count(*)::int as open from pg_stat_activity where application_name = 'full'`,
    );
    expect(open).toBe(4);
    free.resolve();
    await Promise.all([taken, waiting]);
    await full.close();
  });
});

describe('a transaction', () => {
  test('commits as a whole, and only then says so', async () => {
    const heard: string[] = [];
    const result = await db.inTransaction(async (tx) => {
      await tx.run(add(1, 10n));
      tx.afterCommit(() => heard.push('committed'));
      await tx.run(add(2, -10n));
      expect(await centavosOf(1)).toBe(0n);
      expect(heard).toEqual([]);
      return 'result';
    });
    expect([result, heard]).toEqual(['result', ['committed']]);
    expect([await centavosOf(1), await centavosOf(2)]).toEqual([10n, -10n]);
  });

  test('that throws leaves nothing and notifies nobody', async () => {
    const heard: string[] = [];
    const failed = db.inTransaction(async (tx) => {
      tx.afterCommit(() => heard.push('committed'));
      await tx.run(add(1, 10n));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect([await centavosOf(1), heard]).toEqual([0n, []]);
  });

  test('that is over takes no more statements: they would stay', async () => {
    for (const end of [() => Promise.resolve(), () => Promise.reject(new Error('gave up'))]) {
      let late: Tx | undefined;
      await db
        .inTransaction(async (tx) => {
          late = tx;
          await tx.run(sql`select 1`);
          await end();
        })
        .catch(() => {});
      late?.send(add(1, 5n));
      await expect(late?.run(add(1, 7n))).rejects.toThrow('the transaction is over');
    }
    expect(await centavosOf(1)).toBe(0n);
  });

  test('that goes on after a failed statement is not taken for committed', async () => {
    const heard: string[] = [];
    const swallowed = db.inTransaction(async (tx) => {
      tx.afterCommit(() => heard.push('committed'));
      await tx.run(add(1, 10n));
      await tx.run(sql`insert into account (id, centavos) values (1, 0)`).catch(() => {});
    });
    await expect(swallowed).rejects.toThrow('account_pkey');
    expect([await centavosOf(1), heard]).toEqual([0n, []]);
  });

  test('is tried again after a deadlock', async () => {
    let tries = 0;
    let holding = 0;
    const [bothHoldOne, oneIsDone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const move = async (from: number, to: number) => {
      await db.inTransaction(async (tx) => {
        // The aborted transaction's second try could block the other one again.
        if (++tries > 2) await oneIsDone.promise;
        await tx.run(add(from, -1n));
        if (++holding === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await tx.run(add(to, 1n));
      });
      oneIsDone.resolve();
    };
    await Promise.all([move(1, 2), move(2, 1)]);
    expect(tries).toBe(3);
    expect([await centavosOf(1), await centavosOf(2)]).toEqual([0n, 0n]);
  });

  test('is not tried again after another failure', async () => {
    let tries = 0;
    const failing = db.inTransaction(async (tx) => {
      tries++;
      await tx.run(sql`insert into account (id, centavos) values (1, 0)`);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(tries).toBe(1);
  });
});
