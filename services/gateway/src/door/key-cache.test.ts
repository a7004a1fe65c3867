import { randomBytes } from 'node:crypto';
import { type Database, openDatabase, sql } from '@cobro/postgres/database.ts';
import { type TcpProxy, proxyTo } from '@cobro/testing/tcp-proxy.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createKey } from '../registry/create-key.ts';
import { createPartner } from '../registry/create-partner.ts';
import { createKeyCache, type KeyCache, type KeyCacheOptions } from './key-cache.ts';
import { hashOfKey } from '../registry/key-hash.ts';
import { findActiveKey, findChangedKeys } from '../registry/key.store.ts';
import { revokeKey } from '../registry/revoke-key.ts';

let database: TestDatabase;
let db: Database;
let proxy: TcpProxy;
/** The gateway's own connections; `db` is the operator's. */
let proxied: Database;
let partnerId: string;

let now = 0;
let lookUps = 0;

beforeAll(async () => {
  database = await testDatabase('gateway');
  db = openDatabase({ url: database.url, schema: 'gateway' });
  proxy = await proxyTo(database.url);
  await proxy.restore();
  proxied = openDatabase({ url: proxy.url, schema: 'gateway' });
  partnerId = (await createPartner(db, 'Ventas')).id;
});
afterAll(async () => {
  await proxied.close();
  await proxy.cut();
  await db.close();
  await database.drop();
});
beforeEach(() => {
  now = 0;
  lookUps = 0;
});

function openCache(
  find: KeyCacheOptions['find'] = (hash) => findActiveKey(proxied, hash),
  findChanged: KeyCacheOptions['findChanged'] = (position) => findChangedKeys(proxied, position),
): KeyCache {
  return createKeyCache({
    find: (hash) => {
      lookUps++;
      return find(hash);
    },
    findChanged,
    now: () => now,
    timeOfDay: () => new Date(),
  });
}

async function newKey() {
  const { id, key } = await createKey(db, { kind: 'partner', partnerId });
  return { id, hash: hashOfKey(key.reveal()) };
}

const nobodys = () => hashOfKey(randomBytes(32).toString('hex'));

describe('a key that was looked up', () => {
  test('is remembered as whose it is', async () => {
    const [cache, key] = [openCache(), await newKey()];
    await cache.evictChanged();
    for (let i = 0; i < 3; i++) {
      await expect(cache.find(key.hash)).resolves.toEqual({
        id: key.id,
        organizationId: null,
        partnerId,
        terminalId: null,
        revokeAt: null,
      });
    }
    expect(lookUps).toBe(1);
  });

  test('is looked up once for all requests that ask at the same time', async () => {
    const [cache, key] = [openCache(), await newKey()];
    await cache.evictChanged();
    const found = await Promise.all(Array.from({ length: 20 }, () => cache.find(key.hash)));
    expect(new Set(found.map((one) => one?.id))).toEqual(new Set([key.id]));
    expect(lookUps).toBe(1);
  });

  test('is not remembered before the first question about changes was answered', async () => {
    const [cache, key] = [openCache(), await newKey()];
    await cache.find(key.hash);
    await cache.find(key.hash);
    expect(lookUps).toBe(2);
  });
});

describe('a revoked key', () => {
  test('is refused by every replica after its next question', async () => {
    const [cache, replica, key] = [openCache(), openCache(), await newKey()];
    for (const one of [cache, replica]) {
      await one.evictChanged();
      await expect(one.find(key.hash)).resolves.toBeDefined();
    }
    await revokeKey(db, key.id);
    for (const one of [cache, replica]) {
      await one.evictChanged();
      await expect(one.find(key.hash)).resolves.toBeUndefined();
    }
  });

  test('is refused though a database took over meanwhile, whose transactions have smaller numbers', async () => {
    let ahead = 1_000_000n;
    const cache = openCache(undefined, async (position) => {
      const changes = await findChangedKeys(proxied, position);
      return { ...changes, position: String(BigInt(changes.position) + ahead) };
    });
    const key = await newKey();
    await cache.evictChanged();
    await expect(cache.find(key.hash)).resolves.toBeDefined();
    await revokeKey(db, key.id);
    ahead = 0n;
    await cache.evictChanged();
    await expect(cache.find(key.hash)).resolves.toBeUndefined();
  });

  test('is refused though its transaction was open while the question was answered', async () => {
    const [cache, key, other] = [openCache(), await newKey(), await newKey()];
    await cache.evictChanged();
    await cache.find(key.hash);
    await db.inTransaction(async (tx) => {
      await tx.run(sql`update api_keys set revoked_at = now(), changed_in = pg_current_xact_id() where id = ${key.id}`);
      // A later transaction that commits sooner: a position by time or by sequence would now be past the open one.
      await revokeKey(db, other.id);
      await cache.evictChanged();
      await expect(cache.find(key.hash)).resolves.toBeDefined();
    });
    await cache.evictChanged();
    await expect(cache.find(key.hash)).resolves.toBeUndefined();
  });

  test('is not remembered from a look-up that began before it was revoked', async () => {
    const read = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<void>();
    const key = await newKey();
    const cache = openCache(async (hash) => {
      const found = await findActiveKey(proxied, hash);
      if (lookUps > 1) return found;
      read.resolve();
      await slow.promise;
      return found;
    });
    await cache.evictChanged();
    const begunBefore = cache.find(key.hash);
    await read.promise;
    await revokeKey(db, key.id);
    await cache.evictChanged();
    // A request from now on does not wait for that look-up either.
    await expect(cache.find(key.hash)).resolves.toBeUndefined();
    slow.resolve();
    await begunBefore;
    await expect(cache.find(key.hash)).resolves.toBeUndefined();
  });

  test('is not remembered from a look-up that began before the first question', async () => {
    const read = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<void>();
    const key = await newKey();
    const cache = openCache(async (hash) => {
      const found = await findActiveKey(proxied, hash);
      read.resolve();
      await slow.promise;
      return found;
    });
    const begunBefore = cache.find(key.hash);
    await read.promise;
    await revokeKey(db, key.id);
    await cache.evictChanged();
    slow.resolve();
    await begunBefore;
    await expect(cache.find(key.hash)).resolves.toBeUndefined();
  });
});

describe('an unknown key', () => {
  test('is remembered as unknown for a second', async () => {
    const [cache, hash] = [openCache(), nobodys()];
    await cache.evictChanged();
    await cache.find(hash);
    now += 999;
    await expect(cache.find(hash)).resolves.toBeUndefined();
    expect(lookUps).toBe(1);
    now += 1;
    await cache.find(hash);
    expect(lookUps).toBe(2);
  });

  test('is known after the next question once it is made', async () => {
    const cache = openCache();
    await cache.evictChanged();
    const { key } = await createKey(db, { kind: 'partner', partnerId });
    const hash = hashOfKey(key.reveal());
    await db.run(sql`update api_keys set revoked_at = now() where hash = ${Buffer.from(hash, 'hex')}`);
    await expect(cache.find(hash)).resolves.toBeUndefined();
    await db.run(sql`
      update api_keys set revoked_at = null, changed_in = pg_current_xact_id() where hash = ${Buffer.from(hash, 'hex')}`);
    await cache.evictChanged();
    await expect(cache.find(hash)).resolves.toBeDefined();
  });

  test('costs a bounded memory: the oldest of 10 000 is forgotten', async () => {
    const cache = openCache(() => Promise.resolve(undefined));
    await cache.evictChanged();
    for (let i = 0; i <= 10_000; i++) await cache.find(`unknown ${i}`);
    expect(lookUps).toBe(10_001);
    await cache.find('unknown 1');
    expect(lookUps).toBe(10_001);
    await cache.find('unknown 0');
    expect(lookUps).toBe(10_002);
  });
});

describe('without Postgres', () => {
  test('a remembered key works for 30 s, then none; another cannot be looked up', async () => {
    const [cache, key] = [openCache(), await newKey()];
    await cache.evictChanged();
    await cache.find(key.hash);
    await proxy.cut();
    await expect(cache.evictChanged()).rejects.toHaveProperty('message');
    now += 30_000;
    await expect(cache.find(key.hash)).resolves.toBeDefined();
    await expect(cache.find(nobodys())).rejects.toHaveProperty('message');
    now += 1;
    await expect(cache.find(key.hash)).rejects.toHaveProperty('message');

    await revokeKey(db, key.id);
    await proxy.restore();
    await cache.evictChanged();
    await expect(cache.find(key.hash)).resolves.toBeUndefined();
  });
});
