import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Envelope } from '@cobro/contracts/events.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { startBank, type RunningBank } from '@cobro/testing/start-bank.ts';
import { openTestClock, type TestClock } from '@cobro/testing/test-clock.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import { openBank } from './bank-client.ts';
import type { Bank } from './bank.ts';
import { backgroundPermit } from './bank-permits.ts';
import { type Claimed as ClaimedRow, createJournal, type Journal, type Settler } from './journal.ts';
import { bankMigrations } from './migrations.ts';
import { saleOf, savedToken, savingOf } from './test-charge.ts';
import { onlyAcquirer, recoverOnce } from './test-recovery.ts';
import { createTestSubjects, givenSubject, outboxOf, type TestSubject, testSubject } from './test-subject.ts';
type Claimed = ClaimedRow<TestSubject>;
const CALL_TIMEOUT_MS = 20_000;
/** For a call that gets no answer; enough for the bank to receive it. */
const HASTY_MS = 5_000;

let clock: TestClock;
let simulator: RunningBank;
let database: TestDatabase;
let db: Database;
let bank: Bank;
let token: Secret<string>;
let journal: Journal;
/** What our journals logged as errors. */
let complaints: object[];
/** The settlement of these subjects throws. */
const failing = new Set<string>();

beforeAll(async () => {
  clock = await openTestClock();
  [simulator, database] = await Promise.all([
    startBank({ CLOCK_URL: clock.url }),
    testDatabase({ name: 'bank', migrations: [bankMigrations] }),
  ]);
  db = openPatiently({ url: database.url, schema: 'bank' });
  await db.run(sql`create table effect (subject_id uuid not null, outcome text not null, time timestamptz)`);
  await createTestSubjects(db);
  const timeouts = { connectTimeoutMs: CALL_TIMEOUT_MS, callTimeoutMs: CALL_TIMEOUT_MS };
  bank = openBank({ url: simulator.url, connections: 64, ...timeouts });
  token = await savedToken(bank);
});
beforeEach(async () => {
  await simulator.setFaults({});
  await db.run(sql`delete from bank_operation where status = 'open'`);
  complaints = [];
  failing.clear();
  journal = openJournal(db);
});
afterAll(async () => {
  await bank.close();
  await db.close();
  await Promise.all([simulator.close(), database.drop(), clock.close()]);
});

/** The event stands for an effect. */
const settler: Settler<TestSubject> = {
  subject: testSubject,
  settle: ({ version }, { subjectId }, ending) => {
    const time = 'time' in ending ? ending.time.toISOString() : null;
    if (failing.has(subjectId)) throw new Error('the settlement failed');
    const event = { subject: subjectId, type: ending.outcome, time } as Envelope;
    return { changes: { version: version + 1 }, events: [event] };
  },
};

function openJournal(on: Database): Journal {
  return createJournal({
    claimDb: on,
    db: on,
    backgroundDb: on,
    acquirers: onlyAcquirer(bank),
    callTimeoutMs: CALL_TIMEOUT_MS,
    bounds: { perCard: 2, perMerchant: 64, perService: 64 },
    settlers: { charge: settler, save: settler },
    outbox: outboxOf(
      ({ subject, type, time }) => sql`
        insert into effect (subject_id, outcome, time) select ${subject}::uuid, ${type}::text, ${time}::timestamptz`,
    ),
    handOver: async () => {},
    log: { error: (fields) => complaints.push(fields) },
  });
}

const sale = () => saleOf(token);
const claim = async (purpose: 'charge' | 'save' = 'charge'): Promise<Claimed> => {
  const row = await givenSubject(db);
  const claimed = await journal.claim(
    { purpose, subject: testSubject, row, amount: 1_050n },
    backgroundPermit('default'),
  );
  if (claimed === undefined) throw new Error('not claimed');
  return claimed;
};
const effectsOf = ({ operation }: Claimed) =>
  db.many<{ outcome: string; time: Date | null }>(sql`
    select outcome, time from effect where subject_id = ${operation.subjectId}`);
const rowOf = ({ operation }: Claimed) =>
  db.one<{ status: string; answer: Record<string, unknown> | null; unanswered: boolean; claimedAt: Date }>(sql`
    select status, answer, unanswered_at is not null as unanswered, claimed_at as "claimedAt"
    from bank_operation where id = ${operation.id}`);
/** The same claim with little time left. */
const hastily = (claimed: Claimed): Claimed => ({ ...claimed, deadline: performance.now() + HASTY_MS });
/** The bank's record of an operation, if it has one. */
const inTheBooks = async ({ operation }: Claimed) =>
  (await simulator.operations()).find(({ idempotencyKey }) => idempotencyKey === operation.id);
/** Makes their inquiries due. */
const makeDue = (...claims: Claimed[]) =>
  db.run(
    sql`update bank_operation set inquire_at = clock_timestamp() - interval '1 s' where id = any(${claims.map((c) => c.operation.id)})`,
  );

describe('claim, call, settle', () => {
  test('settles what the bank answers, once, and keeps its words', async () => {
    const claimed = await claim();
    expect(await rowOf(claimed)).toMatchObject({ status: 'open', answer: null });
    const outcome = await journal.carryOut(claimed, sale(), settler);
    const record = await inTheBooks(claimed);
    expect(outcome).toMatchObject({ outcome: 'approved', reference: record?.reference, resultCode: '00' });
    expect(outcome.row).toMatchObject({ id: claimed.operation.subjectId, version: 2 });
    expect(await effectsOf(claimed)).toEqual([{ outcome: 'approved', time: new Date(record?.createdAt ?? 0) }]);
    expect(await rowOf(claimed)).toMatchObject({ status: 'approved', answer: { reference: record?.reference } });
    expect(await recoverOnce(journal)).toBe(0);
  });

  test('settles a decline', async () => {
    await simulator.setFaults({ next: [{ kind: 'sale', fault: 'decline' }] });
    const claimed = await claim();
    expect(await journal.carryOut(claimed, sale(), settler)).toMatchObject({
      outcome: 'declined',
      declineCode: 'do_not_honor',
    });
    expect(await effectsOf(claimed)).toMatchObject([{ outcome: 'declined' }]);
  });

  test('writes down no token of the vault', async () => {
    const claimed = await claim('save');
    const outcome = await journal.carryOut(claimed, savingOf('amexCredit'), settler);
    expect(outcome).toMatchObject({ outcome: 'approved', vaulted: { lastFourDigits: '0005', network: 'AMEX' } });
    expect(JSON.stringify((await rowOf(claimed)).answer)).toMatch(/^(?!.*tok_).*\[secret\]/);
  });

  test('sends nothing after its deadline', async () => {
    const claimed = await claim();
    const outcome = await journal.carryOut({ ...claimed, deadline: performance.now() - 1 }, sale(), settler);
    expect(outcome).toMatchObject({ outcome: 'not_sent' });
    expect(await effectsOf(claimed)).toMatchObject([{ outcome: 'not_sent' }]);
    expect(await inTheBooks(claimed)).toBeUndefined();
  });

  test('counts as not sent what the bank has not done and asks for again, and its key is closed', async () => {
    await simulator.setFaults({ next: [{ kind: 'sale', fault: 'retry' }] });
    const claimed = await claim();
    expect(await journal.carryOut(claimed, sale(), settler)).toMatchObject({ outcome: 'not_sent' });
    expect(journal.isAway('default')).toBe(false);
    expect(await rowOf(claimed)).toMatchObject({ status: 'not_sent' });
    expect(await bank.inquire(claimed.operation.id, 'sale', false)).toEqual({ outcome: 'not_found', closed: true });
    expect(await journal.carryOut(await claim(), sale(), settler)).toMatchObject({ outcome: 'approved' });
  });

  test('says so where the bank cannot be reached, and where it can again', async () => {
    await simulator.kill();
    const claimed = await claim();
    expect(await journal.carryOut(claimed, sale(), settler)).toMatchObject({ outcome: 'not_sent' });
    const open = await claim();
    await makeDue(open);
    expect(await recoverOnce(journal)).toBe(0);
    await simulator.start();
    expect(await journal.carryOut(await claim(), sale(), settler)).toMatchObject({ outcome: 'approved' });
    await makeDue(open);
    expect(await recoverOnce(journal)).toBe(1);
  });

  test('knows that it does not know, and finishes with the calls that run', async () => {
    await simulator.setFaults({ next: [{ kind: 'sale', fault: 'silentDone' }] });
    const claimed = await claim();
    const running = journal.carryOut(hastily(claimed), sale(), settler);
    const begun = performance.now();
    await journal.finish();
    expect(performance.now() - begun).toBeGreaterThan(HASTY_MS / 2);
    expect(await running).toEqual({ outcome: 'unknown' });
    expect(await rowOf(claimed)).toMatchObject({ status: 'open', unanswered: true });
    expect(await effectsOf(claimed)).toEqual([]);
  });
});

describe('recovery', () => {
  test('asks no earlier than the call could have ended, by real time', async () => {
    const claimed = await claim();
    await clock.move(86_400_000, [simulator]);
    expect(await recoverOnce(journal)).toBe(0);
    expect(Math.abs((await rowOf(claimed)).claimedAt.getTime() - Date.now())).toBeLessThan(60_000);
    const { waits } = await db.one<{ waits: number }>(sql`
      select extract(epoch from inquire_at - claimed_at)::float8 * 1000 as waits from bank_operation
      where id = ${claimed.operation.id}`);
    expect(waits).toBeGreaterThan(CALL_TIMEOUT_MS + 990);
    // Skips the time that the call may take; the second after it is real.
    await db.run(sql`
      update bank_operation set inquire_at = inquire_at - ${CALL_TIMEOUT_MS} * interval '1 ms'
      where id = ${claimed.operation.id}`);
    await until('it is due', async () => (await recoverOnce(journal)) === 1);
    expect(await effectsOf(claimed)).toMatchObject([{ outcome: 'not_processed' }]);
  });

  test.each(['silentDone', 'drop'])('settles what the bank did without telling (%s), with its time', async (fault) => {
    await simulator.setFaults({ next: [{ kind: 'sale', fault }] });
    const claimed = await claim();
    expect(await journal.carryOut(hastily(claimed), sale(), settler)).toEqual({ outcome: 'unknown' });
    await makeDue(claimed);
    expect(await recoverOnce(journal)).toBe(1);
    const record = await inTheBooks(claimed);
    expect(await effectsOf(claimed)).toEqual([{ outcome: 'approved', time: new Date(record?.createdAt ?? 0) }]);
    expect(record?.outcome).toBe('approved');
  });

  test('closes the key of what the bank has never seen: a late request moves nothing', async () => {
    const claimed = await claim();
    await makeDue(claimed);
    expect(await recoverOnce(journal)).toBe(1);
    expect(await rowOf(claimed)).toMatchObject({ status: 'not_processed' });
    const inTime = { ...claimed, deadline: performance.now() + CALL_TIMEOUT_MS };
    expect(await journal.carryOut(inTime, sale(), settler)).toEqual({ outcome: 'not_processed' });
    const tooLate = { ...claimed, deadline: performance.now() - 1 };
    expect(await journal.carryOut(tooLate, sale(), settler)).toEqual({ outcome: 'not_processed' });
    expect(await effectsOf(claimed)).toHaveLength(1);
    expect(await inTheBooks(claimed)).toBeUndefined();
  });

  test('leaves alone what the bank is still at', async () => {
    await simulator.setFaults({ next: [{ kind: 'sale', fault: 'held' }] });
    const claimed = await claim();
    const running = journal.carryOut(claimed, sale(), settler);
    await until('it is at it', async () => (await simulator.outcomeOf(claimed.operation.id)) === 'in_progress');
    await makeDue(claimed);
    expect(await recoverOnce(journal)).toBe(0);
    await simulator.setFaults({});
    expect(await running).toMatchObject({ outcome: 'approved' });
    expect(await effectsOf(claimed)).toHaveLength(1);
  });

  test('by two processes at once settles each operation once', async () => {
    const other = openPatiently({ url: database.url, schema: 'bank' });
    const claims = await Promise.all(Array.from({ length: 50 }, () => claim()));
    const both = [journal, openJournal(other)];
    let settled = 0;
    await until('all are settled', async () => {
      await makeDue(...claims);
      for (const count of await Promise.all(both.map((one) => recoverOnce(one)))) settled += count;
      return (await db.many(sql`select from bank_operation where status = 'open'`)).length === 0;
    });
    expect(settled).toBe(50);
    for (const effects of await Promise.all(claims.map(effectsOf))) expect(effects).toHaveLength(1);
    await other.close();
  });

  test('that finds it settled meanwhile changes nothing', async () => {
    const claimed = await claim();
    await journal.carryOut(claimed, sale(), settler);
    for (let again = 0; again < 10; again++) {
      const outcome = await journal.carryOut(claimed, sale(), settler);
      expect(outcome).toMatchObject({ outcome: 'approved' });
      // The subject may have changed since it was settled, so the caller reads it.
      expect(outcome.row).toBeUndefined();
    }
    expect(await effectsOf(claimed)).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test('settles what could not be written down, and no failure holds up the others', async () => {
    const [unwritten, fine] = await Promise.all([claim(), claim()]);
    failing.add(unwritten.operation.subjectId);
    expect(await journal.carryOut(unwritten, sale(), settler)).toEqual({ outcome: 'unknown' });
    expect(await rowOf(unwritten)).toMatchObject({ status: 'open', unanswered: false });
    await makeDue(unwritten, fine);
    expect(await recoverOnce(journal)).toBe(1);
    expect(await effectsOf(fine)).toHaveLength(1);
    expect(complaints).toMatchObject([
      { operationId: unwritten.operation.id, operationKind: 'charge' },
      { operationId: unwritten.operation.id },
    ]);
    failing.clear();
    await makeDue(unwritten);
    expect(await recoverOnce(journal)).toBe(1);
    expect(await effectsOf(unwritten)).toMatchObject([{ outcome: 'approved' }]);
    expect((await simulator.operations()).filter((one) => one.idempotencyKey === unwritten.operation.id)).toHaveLength(
      1,
    );
  });

  test('goes on asking after a very long outage', async () => {
    const claimed = await claim();
    await db.run(sql`update bank_operation set inquiries = 100000 where id = ${claimed.operation.id}`);
    await makeDue(claimed);
    expect(await recoverOnce(journal)).toBe(1);
  });
});
