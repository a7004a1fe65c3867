import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { listening } from '@cobro/testing/listening.ts';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import { acquirersOf } from './acquirers.ts';
import { openBank } from './bank-client.ts';
import type { Bank } from './bank.ts';
import { watchBank } from './bank-watch.ts';
import { createJournal, type Journal } from './journal.ts';
import { claimForTest, createTestSubjects, noOutbox, testSubject } from './test-subject.ts';
import { bankMigrations } from './migrations.ts';
import { recoverOnce } from './test-recovery.ts';

const CALL_TIMEOUT_MS = 20_000;

let server: Awaited<ReturnType<typeof listening>>;
let broken = false;
let database: TestDatabase;
let db: Database;
let bank: Bank;
let journal: Journal;
beforeAll(async () => {
  server = await listening(
    createServer((req, res) => {
      // The bank has never seen the operation.
      req.resume().on('end', () => void res.writeHead(broken ? 500 : 200).end('{"outcome":"not_found","closed":true}'));
    }),
  );
  const { url } = server;
  bank = openBank({ url, connections: 4, connectTimeoutMs: CALL_TIMEOUT_MS, callTimeoutMs: CALL_TIMEOUT_MS });
  database = await testDatabase({ name: 'bank', migrations: [bankMigrations] });
  db = openPatiently({ url: database.url, schema: 'bank' });
  await createTestSubjects(db);
  journal = createJournal({
    claimDb: db,
    db,
    backgroundDb: db,
    acquirers: acquirersOf({ default: watchBank(bank, { acquirer: 'default', isLive: false, log: silentLog }) }),
    callTimeoutMs: CALL_TIMEOUT_MS,
    bounds: { perCard: 2, perMerchant: 64, perService: 64 },
    settlers: { charge: { subject: testSubject, settle: () => ({ events: [] }) } },
    outbox: noOutbox,
    handOver: async () => {},
    log: silentLog,
  });
});
afterAll(async () => {
  await bank.close();
  await db.close();
  await database.drop();
  await server.close();
});

const claim = async () => ({ operation: await claimForTest(db, { purpose: 'charge' }, 2 * CALL_TIMEOUT_MS) });
const due = async () => {
  const now = sql`
    select count(*)::int as n from bank_operation where status = 'open' and inquire_at <= clock_timestamp()`;
  return (await db.one<{ n: number }>(now)).n;
};
/** Claims an operation and asks about it at once. */
const ask = async () => {
  const { operation } = await claim();
  return journal.inquire({ ...operation, resolved: null, ageMs: 0, inquiries: 1 });
};

test('the first answer after calls without one makes every open inquiry due', async () => {
  const waiting: string[] = [];
  while (waiting.length < 12) waiting.push((await claim()).operation.id);
  // The state after several inquiries in vain, the last of them just now.
  await db.run(sql`
    update bank_operation set inquiries = 7, inquire_at = clock_timestamp() + interval '64 s' where id = any(${waiting})`);
  // A running call has had no inquiry yet, and is left alone.
  await claim();
  expect(await ask()).toBe('settled');
  expect(await due()).toBe(0);
  broken = true;
  expect(await ask()).toBe('open');
  expect(await due()).toBe(0);
  broken = false;
  expect(await ask()).toBe('settled');
  await until('all are due', async () => (await due()) === 12);
  expect(await recoverOnce(journal)).toBe(12);
});
