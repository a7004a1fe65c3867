import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Capabilities } from '@cobro/contracts/acquirer/capabilities.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { until } from '@cobro/testing/until.ts';
import { acquirersOf } from './acquirers.ts';
import type { Bank, InquiryAnswer } from './bank.ts';
import { watchBank } from './bank-watch.ts';
import { createInquiries, type InquiriesOptions } from './inquiries.ts';
import type { DueOperation } from './journal.store.ts';
import { bankMigrations } from './migrations.ts';
import { insertResolution } from './resolution.store.ts';
import { NotTheOutcome, type Settler } from './settle.ts';
import { claimForTest, createTestSubjects, noOutbox, type TestSubject, testSubject } from './test-subject.ts';

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

const approved: InquiryAnswer = {
  outcome: 'approved',
  reference: 'sal_1',
  time: new Date('2026-11-20T12:00:00Z'),
  authCode: null,
  resultCode: null,
  text: null,
};

const settler: Settler<TestSubject> = { subject: testSubject, settle: () => ({ events: [] }) };
const openInquiries = (acquirers: InquiriesOptions['acquirers'], charge: Settler<TestSubject> = settler) =>
  createInquiries({
    acquirers,
    db,
    inquireAfterMs: 60_000,
    settling: { outbox: noOutbox, handOver: async () => {} },
    settlers: { charge },
    notSettled: () => 'open',
  });
const statusOf = async (id: string) =>
  (await db.one<{ status: string }>(sql`select status from bank_operation where id = ${id}`)).status;

/** Inquires about an operation of this age; gives how it ended, and whether the acquirer was asked to close the key. */
async function askedAbout(days: number, offers: Partial<Capabilities> | undefined, answer: InquiryAnswer) {
  const closes: boolean[] = [];
  const bank = {
    ...acquirersOf({}).of('none'),
    offers: () => offers as Capabilities | undefined,
    inquire: async (_key: string, _kind: string, close: boolean) => {
      closes.push(close);
      return answer;
    },
  };
  const { takeDue, inquire } = openInquiries(acquirersOf({ default: bank }));
  const { id } = await claimForTest(db, { purpose: 'charge' }, 60_000);
  await db.run(sql`
    update bank_operation set inquire_at = clock_timestamp() - interval '1 s', claimed_at = clock_timestamp() - ${days} * interval '1 day'
    where id = ${id}`);
  for (const operation of await takeDue('default', 10)) await inquire(operation);
  const status = await statusOf(id);
  await db.run(sql`delete from bank_operation`);
  return { status, closes };
}

const gone: InquiryAnswer = { outcome: 'not_found', closed: true };

test.each<[string, number, Partial<Capabilities> | undefined, InquiryAnswer, string, boolean]>([
  ['keeps keys for ever', 400, { inquiry: 'close', keepsKeysDays: null }, gone, 'not_processed', true],
  ['still keeps the key', 29, { inquiry: 'close', keepsKeysDays: 30 }, gone, 'not_processed', true],
  ['may forget the key while it is asked', 29.99, { inquiry: 'close', keepsKeysDays: 30 }, gone, 'open', false],
  ['may have forgotten the key', 30, { inquiry: 'close', keepsKeysDays: 30 }, gone, 'open', false],
  [
    'may have forgotten the key and has the answer',
    31,
    { inquiry: 'close', keepsKeysDays: 30 },
    approved,
    'approved',
    false,
  ],
  [
    'closes nothing',
    0,
    { inquiry: 'read', keepsKeysDays: null },
    { outcome: 'not_found', closed: false },
    'open',
    false,
  ],
  ['closes nothing, and says that it did', 0, { inquiry: 'read', keepsKeysDays: null }, gone, 'open', false],
  ['closes nothing and has the answer', 0, { inquiry: 'read', keepsKeysDays: null }, approved, 'approved', false],
  ['has not said yet what it keeps, of today', 0, undefined, gone, 'not_processed', true],
  ['has not said yet what it keeps, of the day before', 1.01, undefined, gone, 'open', false],
])('an operation of an acquirer that %s', async (_what, days, offers, answer, status, mayClose) => {
  expect(await askedAbout(days, offers, answer)).toEqual({ status, closes: [mayClose] });
});

/** An operation that an operator has resolved as not processed. */
async function resolved(acquirer: string): Promise<string> {
  const { id } = await claimForTest(db, { purpose: 'charge', acquirer }, 60_000);
  await sayNotProcessed(id);
  return id;
}

function sayNotProcessed(operationId: string): Promise<string> {
  const ending = { outcome: 'not_processed' } as const;
  return db.inTransaction((tx) => insertResolution(tx, { operationId, ending, decidedBy: 'ana', reason: 'said so' }));
}

test('an operator’s resolution is applied by no process that does not know the acquirer, which could be asked by another', async () => {
  const id = await resolved('other');
  const known = { ...acquirersOf({}).of('none'), inquire: async () => approved };
  expect(await openInquiries(acquirersOf({ default: known })).settleResolved()).toBe(0);
  expect(await statusOf(id)).toBe('open');
  expect(await openInquiries(acquirersOf({ other: known })).settleResolved()).toBe(1);
  expect(await statusOf(id)).toBe('approved');
});

test.each<[string, Partial<Capabilities> | undefined, string]>([
  ['then counts for less than what the acquirer says', { live: true }, 'approved'],
  ['then counts where the acquirer does not say what it is', undefined, 'not_processed'],
])(
  'an operator’s resolution waits in a live process until the acquirer was asked what it is, and %s',
  async (_what, said, status) => {
    let say: (offers: Capabilities | undefined) => void = () => {};
    const bank: Bank = {
      send: async () => ({ outcome: 'unknown' }),
      inquire: async () => approved,
      capabilities: () => new Promise((resolve) => (say = resolve)),
      close: async () => {},
    };
    const watched = watchBank(bank, { acquirer: 'default', isLive: true, log: silentLog });
    const { settleResolved } = openInquiries(acquirersOf({ default: watched }));
    const id = await resolved('default');
    expect(await settleResolved()).toBe(0);
    expect(await statusOf(id)).toBe('open');
    say(said as Capabilities | undefined);
    await until('it was asked', () => watched.wasAskedForOffers());
    expect(await settleResolved()).toBe(1);
    expect(await statusOf(id)).toBe(status);
    await watched.close();
  },
);

test('an answer that cannot be the outcome is asked for again after a pause, and an operator’s resolution counts for more', async () => {
  const doubting: Settler<TestSubject> = {
    ...settler,
    settle: (row, operation, ending) => {
      if (ending.outcome === 'approved') throw new NotTheOutcome('approved for another amount');
      return settler.settle(row, operation, ending);
    },
  };
  const bank = { ...acquirersOf({}).of('none'), inquire: async () => approved };
  const { takeDue, inquire, settleResolved } = openInquiries(acquirersOf({ doubted: bank }), doubting);
  const { id } = await claimForTest(db, { purpose: 'charge', acquirer: 'doubted' }, 0);
  const [due] = await takeDue('doubted', 10);
  expect(await inquire(due as DueOperation)).toBe('open');
  expect(await takeDue('doubted', 10)).toEqual([]);
  expect(await statusOf(id)).toBe('open');
  await sayNotProcessed(id);
  expect(await settleResolved()).toBe(1);
  expect(await statusOf(id)).toBe('not_processed');
});
