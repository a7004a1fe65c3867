import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import {
  claimingEach,
  claimingLocked,
  claimingWritten,
  closing,
  findOpenOperation,
  mayBeSent,
} from './journal.store.ts';
import { bankMigrations } from './migrations.ts';
import { claimForTest, createTestSubjects, givenSubject, testSubject } from './test-subject.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase({ name: 'bank', migrations: [bankMigrations] });
  db = openPatiently({ url: database.url, schema: 'bank' });
  await createTestSubjects(db);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const HOUR_MS = 3_600_000;
const claimOn = (subjectId: string) => claimForTest(db, { purpose: 'capture', subjectId }, HOUR_MS);

test('writes an operation down for each subject but those that have one open, and leaves it to its call', async () => {
  const [free, ended, busy, late] = [newId(), newId(), newId(), newId()];
  const earlier = await claimOn(ended);
  await db.run(closing(earlier.id, { outcome: 'declined' }));
  await claimOn(busy);

  const locking = sql`select id from unnest(${[free, ended, busy, late]}::uuid[]) as id`;
  const claims = { acquirer: 'other', purpose: 'expire', ids: [newId(), newId(), newId(), newId()] } as const;
  const claiming = claimingEach(locking, claims, HOUR_MS);
  const times = { withinMs: HOUR_MS, inquireAfterMs: HOUR_MS };
  // A concurrent claim on one of them commits after the statement's snapshot.
  const found = await db.inTransaction(async (tx) => {
    await tx.run(claimingLocked(sql`select ${late}::uuid as id`, newOperation(), times));
    const waiting = db.many<{ id: string; operationId: string }>(claiming);
    await sleep(100);
    return { waiting };
  });
  const rest = { acquirer: 'other', purpose: 'expire', amount: null, note: null, unansweredAt: null };
  const claimed = (await found.waiting).map(({ id: subjectId, operationId: id }) => ({ id, subjectId, ...rest }));

  expect(new Set(claimed.map(({ subjectId }) => subjectId))).toEqual(new Set([free, ended]));
  const rows = await db.many(sql`
    select id, acquirer, subject_id as "subjectId", purpose, amount, note, unanswered_at as "unansweredAt" from bank_operation
    where status = 'open' and purpose = 'expire' and inquire_at > clock_timestamp() + interval '50 minutes'`);
  expect(new Set(rows)).toEqual(new Set(claimed));
});

const newOperation = () => ({ id: newId(), acquirer: 'default', purpose: 'charge', amount: null, note: null }) as const;
const idOfOpen = async (subjectId: string) => (await findOpenOperation(db, subjectId))?.id;

test('a row has one open operation, however many claim at once, and none is claimed on it where it has changed since it was read', async () => {
  const row = await givenSubject(db);
  const times = { withinMs: HOUR_MS, inquireAfterMs: HOUR_MS };
  const claim = (version = row.version) =>
    db.many<{ id: string }>(claimingLocked(testSubject.lockAsRead({ ...row, version }), newOperation(), times));

  expect(await claim(row.version - 1)).toEqual([]);
  const atOnce = await Promise.all(Array.from({ length: 8 }, () => claim()));
  const [first, ...others] = atOnce.flat();
  expect(others).toEqual([]);
  expect(await claim()).toEqual([]);
  expect(await idOfOpen(row.id)).toBe(first?.id);
  await db.run(closing(first?.id ?? '', { outcome: 'declined' }));
  expect(await idOfOpen(row.id)).toBeUndefined();
  const [second] = await claim();
  expect(await idOfOpen(row.id)).toBe(second?.id);
});

test('under an id of its own an operation that was not sent is opened again, and any other stays as it ended', async () => {
  const operation = { ...newOperation(), id: newId() };
  const claim = (id: string) => {
    const origin = sql`select ${id}::uuid as id where ${mayBeSent(operation.id)}`;
    const writing = sql`insert into subject (id) select id from origin on conflict (id) do update set version = 1 returning id`;
    return db.many(claimingWritten({ writing, origin, effects: [], isRepeatable: true }, operation, HOUR_MS));
  };
  const subject = newId();
  expect(await claim(subject)).toEqual([{ id: subject }]);
  expect(await claim(subject)).toEqual([]);
  await db.run(closing(operation.id, { outcome: 'not_sent' }));
  expect(await claim(subject)).toEqual([{ id: subject }]);
  expect(await idOfOpen(subject)).toBe(operation.id);
  await db.run(closing(operation.id, { outcome: 'declined' }));
  expect(await claim(subject)).toEqual([]);
  expect(await idOfOpen(subject)).toBeUndefined();
});

test('a row is claimed by writing it, what goes with it too, and neither where the row is not written', async () => {
  const id = newId();
  await db.run(sql`create table tried (id uuid primary key, tries integer not null default 0)`);
  await db.run(sql`insert into tried (id) values (${id})`);
  const writing = sql`insert into subject (id) values (${id}) on conflict do nothing returning id, version, outcome`;
  const also = sql`update tried set tries = tries + 1 where id = ${id}`;
  const claim = () => db.many(claimingWritten({ writing, effects: [also] }, newOperation(), HOUR_MS));

  const atOnce = await Promise.all(Array.from({ length: 8 }, claim));
  expect(atOnce.flat()).toEqual([{ id, version: 1, outcome: null }]);
  expect(await db.many(sql`select status from bank_operation where subject_id = ${id}`)).toEqual([{ status: 'open' }]);
  expect(await db.one(sql`select tries from tried where id = ${id}`)).toEqual({ tries: 1 });
});

test('whether the row is written or not, what is read is what that was decided by', async () => {
  const id = newId();
  const writing = sql`insert into subject (id) values (${id}) on conflict do nothing returning id, version`;
  const reading = sql`(select count(*)::int from bank_operation where subject_id = ${id})`;
  const claim = () => db.many(claimingWritten({ writing, reading, effects: [] }, newOperation(), HOUR_MS));
  expect(await claim()).toEqual([{ id, version: 1, read: 0 }]);
  expect(await claim()).toEqual([{ id: null, version: null, read: 1 }]);
});
