import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql, type Tx } from '@cobro/postgres/database.ts';
import { lockWaits } from '@cobro/testing/lock-waits.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findDue, releaseWaiting } from '../deliveries/delivery.store.ts';
import { insertEndpoint, lockEndpoint } from '../endpoints/endpoint.store.ts';
import { findEvent, findNextEvents, insertingEvents, newestPosition } from './event.store.ts';

let database: TestDatabase;
let [slow, quick, observer] = [] as unknown as [Database, Database, Database];
beforeAll(async () => {
  database = await testDatabase('webhooks');
  const open = () => openPatiently({ url: database.url, schema: 'webhooks', lockTimeoutMs: 60_000 });
  [slow, quick] = [open(), open()];
  // Sees what the sessions of all roles wait for.
  observer = openPatiently({ url: database.adminUrl, schema: 'webhooks' });
});
afterAll(async () => {
  await Promise.all([slow?.close(), quick?.close(), observer?.close()]);
  await database?.drop();
});

const organizationId = newId();
const createdAt = new Date();
const keep = (tx: Tx, of = organizationId, happenedAt = createdAt): string => {
  const id = newId();
  const type = 'payment.confirmed' as const;
  const event = { id, organizationId: of, type, objectId: newId(), createdAt: happenedAt, data: {} };
  tx.send(insertingEvents([event], createdAt));
  return id;
};
const readAfter = (after: bigint) =>
  findNextEvents(
    quick,
    { organizationId, after, upTo: 2n ** 62n },
    { types: undefined, objectId: undefined, since: new Date(0) },
    1_000,
  );

test('an event whose transaction is slow is not passed by one that came later', async () => {
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const { promise: hasWritten, resolve: written } = Promise.withResolvers<void>();
  const first = slow.inTransaction(async (tx) => {
    const id = keep(tx);
    // Its reply shows that the statement before it has run.
    await newestPosition(tx);
    written();
    await mayCommit;
    return id;
  });
  await hasWritten;
  const second = quick.inTransaction(async (tx) => keep(tx));
  await until('the later one waits for the earlier one', async () => (await lockWaits(observer)) > 0);
  expect(await readAfter(0n)).toEqual([]);
  commit();
  const ids = [await first, await second];
  expect((await readAfter(0n)).map(({ id }) => id)).toEqual(ids);
});

test('a reader that goes on from what it has seen misses none of those that many write at once', async () => {
  const begin = await newestPosition(quick);
  const seen: string[] = [];
  let isOver = false;
  const reading = (async () => {
    for (let [after, last] = [begin, false]; ;) {
      last = isOver;
      for (const { id, position } of await readAfter(after)) [after] = [position, seen.push(id)];
      if (last) return;
    }
  })();
  const write = async (db: Database) => {
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) {
      ids.push(...(await db.inTransaction(async (tx) => Array.from({ length: 1 + (n % 3) }, () => keep(tx)))));
    }
    return ids;
  };
  const made = (await Promise.all([slow, quick, slow, quick].map(write))).flat();
  isOver = true;
  await reading;
  expect(seen.toSorted()).toEqual(made.toSorted());
});

/** An organization with an endpoint. */
async function withEndpointOf() {
  const [id, withEndpoint] = [newId(), newId()];
  const endpoint = { id, organizationId: withEndpoint, url: 'https://shop.example/', types: ['payment.*'] };
  const sealed = { description: null, sealedSecret: Buffer.alloc(1), createdAt };
  await quick.inTransaction((tx) => insertEndpoint(tx, { ...endpoint, ...sealed }, 1));
  return { id, withEndpoint };
}

test('what happened by the clock of a bank that is an hour ahead is sent now, and again when its endpoint works', async () => {
  const { id, withEndpoint } = await withEndpointOf();
  const later = new Date(createdAt.getTime() + 3_600_000);
  await quick.inTransaction(async (tx) => keep(tx, withEndpoint, later));
  const [due] = await findDue(quick, id, createdAt, 5);
  expect(due).toMatchObject({ createdAt: later, nextAttemptAt: createdAt });
  await quick.run(sql`
    update delivery set last_attempt_at = ${createdAt}, next_attempt_at = ${later} where endpoint_id = ${id}`);
  expect(await releaseWaiting(quick, id, createdAt, 5)).toBe(1);
  expect(await findDue(quick, id, createdAt, 5)).toHaveLength(1);
});

test('an event about an endpoint and one that is sent to it, at once, do not wait for each other', async () => {
  const { id, withEndpoint } = await withEndpointOf();
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const { promise: hasPosition, resolve: positioned } = Promise.withResolvers<void>();
  let tries = 0;
  const paused = slow.inTransaction(async (tx) => {
    tries++;
    await lockEndpoint(tx, withEndpoint, id);
    locked();
    await hasPosition;
    return keep(tx);
  });
  await isLocked;
  await quick.inTransaction(async (tx) => {
    tries++;
    keep(tx);
    await newestPosition(tx);
    positioned();
    await until('the event about it waits for a position', async () => (await lockWaits(observer)) > 0);
    keep(tx, withEndpoint);
  });
  await paused;
  expect(tries).toBe(2);
});

test('an event is written although its endpoint is deleted while it waits for a position', async () => {
  const { id, withEndpoint } = await withEndpointOf();
  const waiting = await slow.inTransaction(async (tx) => {
    keep(tx);
    await newestPosition(tx);
    const event = quick.inTransaction(async (later) => keep(later, withEndpoint));
    await until('it waits for a position', async () => (await lockWaits(observer)) > 0);
    await observer.run(sql`delete from webhook_endpoint where id = ${id}`);
    return { event };
  });
  expect(await findEvent(quick, await waiting.event)).toBeDefined();
});
