import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Envelope } from '@cobro/contracts/events.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import { openTestMetrics } from '@cobro/testing/test-metrics.ts';
import type { Operation } from './journal.store.ts';
import { bankMigrations } from './migrations.ts';
import { createSettlement, type Ending, type Settlement, type Settler } from './settle.ts';
import {
  claimForTest,
  createTestSubjects,
  givenSubject,
  noOutbox,
  outboxOf,
  type TestSubject,
  testSubject,
} from './test-subject.ts';

let database: TestDatabase;
let db: Database;
let settleTogether: (operation: Operation, ending: Ending, row?: TestSubject) => ReturnType<Settlement>;
const metrics = openTestMetrics();
/** The settlement of these subjects fails. */
const failing = new Set<string>();
const handedOver: string[] = [];
/** Stands for the trace of the request that settles: the id of the subject. */
const trace = new AsyncLocalStorage<string>();
/** What was done about each subject, and in which trace. */
const noted: { of: string; what: string; in: string | undefined }[] = [];

beforeAll(async () => {
  database = await testDatabase({ name: 'bank', migrations: [bankMigrations] });
  db = openPatiently({ url: database.url, schema: 'bank' });
  await db.run(sql`create table effect (subject_id uuid not null, reference text not null)`);
  await db.run(sql`create table waiting (subject_id uuid primary key)`);
  await createTestSubjects(db);
  const settle = createSettlement(
    {
      outbox: outboxOf(
        ({ id, subject: reference }) => {
          noted.push({ of: id, what: 'inserted', in: trace.getStore() });
          return sql`insert into effect (subject_id, reference) select ${id}::uuid, ${reference}::text`;
        },
        ({ id }) => noted.push({ of: id, what: 'sent', in: trace.getStore() }),
      ),
      handOver: async (events) => {
        handedOver.push(...events.map(({ id }) => id));
        noted.push(...events.map(({ id }) => ({ of: id, what: 'handed over', in: trace.getStore() })));
      },
    },
    db,
  );
  settleTogether = (operation, ending, row) => settle(settler, operation, ending, row);
});
/** The event stands for an effect. */
const settler: Settler<TestSubject> = {
  subject: testSubject,
  settle: ({ id, version }, { subjectId }, ending) => {
    noted.push({ of: subjectId, what: 'settled', in: trace.getStore() });
    if (failing.has(subjectId)) throw new Error('the settlement failed');
    const event = { id, subject: 'reference' in ending ? (ending.reference ?? '') : '' } as Envelope;
    const changes = { version: version + 1, outcome: ending.outcome };
    return { changes, also: { writing: sql`delete from waiting where subject_id = ${id}` }, events: [event] };
  },
};
beforeEach(() => {
  failing.clear();
  handedOver.length = 0;
  noted.length = 0;
});
afterAll(async () => {
  await metrics.stop();
  await db.close();
  await database.drop();
});

const claim = (): Promise<Operation> => claimForTest(db, { purpose: 'expire' }, 60_000);
const approved = ({ id }: Operation): Ending => ({
  outcome: 'approved',
  reference: `voi_${id}`,
  time: new Date(),
  authCode: null,
  resultCode: '00',
  text: 'APROBADA',
});
const effectsOf = ({ subjectId }: Operation) =>
  db.many<{ reference: string }>(sql`select reference from effect where subject_id = ${subjectId}`);
const statusOf = async ({ id }: Operation) =>
  (await db.one<{ status: string }>(sql`select status from bank_operation where id = ${id}`)).status;

/** Settles 24 operations at once; gives what each caller got, or the error. */
async function together(spoil: (operations: Operation[]) => unknown = () => {}) {
  const operations = await Promise.all(Array.from({ length: 24 }, claim));
  await spoil(operations);
  const settling = operations.map((operation) =>
    trace
      .run(operation.subjectId, () => settleTogether(operation, approved(operation)))
      .catch((error: Error) => error.message),
  );
  const results = await Promise.all(settling);
  return operations.map((operation, i) => ({ operation, result: results[i] }));
}

test('settlements that come together share transactions, and each caller gets its own row', async () => {
  const all = await together();
  for (const { operation, result } of all) {
    expect(result).toMatchObject({ row: { id: operation.subjectId, version: 2, outcome: 'approved' } });
    expect(await effectsOf(operation)).toEqual([{ reference: `voi_${operation.id}` }]);
    expect(await statusOf(operation)).toBe('approved');
  }
  expect(handedOver.toSorted()).toEqual(all.map(({ operation }) => operation.subjectId).toSorted());
  const { transactions } = await db.one<{ transactions: number }>(sql`
    select count(distinct xmin::text)::int as transactions from effect
    where subject_id = any(${all.map(({ operation }) => operation.subjectId)})`);
  expect(transactions).toBeLessThan(all.length / 2);
});

test('what subjects count together is counted back once for each that ends, and not for one that somebody else has closed', async () => {
  await db.run(sql`create table counter (name text primary key, taken integer not null)`);
  await db.run(sql`insert into counter (name, taken) values ('a', 24), ('b', 24)`);
  const one = (name: string) => ({
    key: name,
    locking: sql`select name from counter where name = ${name} for no key update`,
    writing: sql`update counter set taken = taken - 1 where name = ${name}`,
  });
  const counting: Settler<TestSubject> = {
    ...settler,
    settle: (...of) => ({ ...settler.settle(...of), counting: [one('a'), one('b')] }),
  };
  const settle = createSettlement({ outbox: noOutbox, handOver: async () => {} }, db);
  const operations = await Promise.all(Array.from({ length: 24 }, claim));
  const twice = [...operations, ...operations].map((operation) => settle(counting, operation, approved(operation)));
  const settled = (await Promise.all(twice)).filter((result) => result !== undefined);
  expect(settled).toHaveLength(24);
  expect(await db.many(sql`select distinct taken from counter`)).toEqual([{ taken: 0 }]);
});

test('the one that cannot be written down stays open, and none of the others is lost', async () => {
  const [bad, ...good] = await together(([first]) => failing.add(first?.subjectId ?? ''));
  expect(bad?.result).toBe('the settlement failed');
  expect(await statusOf(bad?.operation as Operation)).toBe('open');
  expect(await effectsOf(bad?.operation as Operation)).toEqual([]);
  for (const { operation, result } of good) {
    expect(result).toMatchObject({ row: { id: operation.subjectId, version: 2, outcome: 'approved' } });
    expect(await effectsOf(operation)).toHaveLength(1);
  }
});

test('what is done about each is in its own trace, whichever came with it', async () => {
  await together(([first]) => failing.add(first?.subjectId ?? ''));
  expect(new Set(noted.map(({ what }) => what))).toEqual(new Set(['settled', 'inserted', 'sent', 'handed over']));
  expect(noted.filter((one) => one.in !== one.of)).toEqual([]);
});

test('the one that somebody else has closed meanwhile moves nothing', async () => {
  const [closed, ...others] = await together(([first]) =>
    db.run(sql`
      update bank_operation set status = 'not_processed', settled_at = clock_timestamp() where id = ${first?.id ?? ''}`),
  );
  expect(closed?.result).toBeUndefined();
  expect(await effectsOf(closed?.operation as Operation)).toEqual([]);
  for (const { operation } of others) expect(await effectsOf(operation)).toHaveLength(1);
});

test('what was settled is counted once, by acquirer, purpose, outcome and reason; a reason that nobody knows is `other`', async () => {
  const counted = async () => {
    const all = await metrics.read('cobro.operations.settled');
    return new Map(all.map(({ value, attributes }) => [Object.values(attributes).join(' '), value]));
  };
  const before = (await counted()).get('default expire approved none') ?? 0;
  await together(([first]) => failing.add(first?.subjectId ?? ''));
  const said = { reference: null, time: new Date(), authCode: null, resultCode: null, text: null };
  for (const declineCode of ['do_not_honor', 'somebody, born 1 May 1970', 'somebody else']) {
    const operation = await claim();
    await settleTogether(operation, { outcome: 'declined', declineCode, ...said });
    await settleTogether(operation, { outcome: 'declined', declineCode, ...said });
  }
  const after = await counted();
  expect(after.get('default expire approved none')).toBe(before + 23);
  expect(after.get('default expire declined do_not_honor')).toBe(1);
  expect(after.get('default expire declined other')).toBe(2);
  expect(after.size).toBe(3);
});

describe('a subject', () => {
  const subjectOf = ({ subjectId }: Operation) => givenSubject(db, subjectId);

  test('that has changed since it was read is read again, and settled once', async () => {
    const operation = await claim();
    const asRead = await subjectOf(operation);
    await db.run(sql`update subject set version = version + 1 where id = ${operation.subjectId}`);
    const settled = await settleTogether(operation, approved(operation), asRead);
    expect(settled).toMatchObject({ row: { version: 3 } });
    expect(await subjectOf(operation)).toMatchObject({ version: 3, outcome: 'approved' });
    expect(await effectsOf(operation)).toHaveLength(1);
  });

  test('that changes again and again is not settled, and its operation stays open', async () => {
    const operation = await claim();
    const restless: Settler<TestSubject> = {
      ...settler,
      subject: { ...testSubject, find: async (...of) => ({ ...(await testSubject.find(...of)), version: 0 }) as never },
    };
    const settle = createSettlement({ outbox: noOutbox, handOver: async () => {} }, db);
    await expect(settle(restless, operation, approved(operation))).rejects.toThrow('never as it was read');
    expect(await statusOf(operation)).toBe('open');
    expect(await subjectOf(operation)).toMatchObject({ version: 1, outcome: null });
  });

  test('that is locked by somebody who then changes it is settled as it is afterwards', async () => {
    const operation = await claim();
    const asRead = await subjectOf(operation);
    const { begun } = await db.inTransaction(async (tx) => {
      await tx.run(sql`update subject set version = 7 where id = ${operation.subjectId}`);
      const settles = settleTogether(operation, approved(operation), asRead);
      await until('the settlement waits', async () => {
        const waits = sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '/* settle */%'`;
        return (await db.many(waits)).length === 1;
      });
      return { begun: settles };
    });
    expect(await begun).toMatchObject({ row: { version: 8 } });
    expect(await effectsOf(operation)).toHaveLength(1);
  });

  test('that changes but for its version while the settlement waits, as its operation does, is settled at the first try', async () => {
    const operation = await claim();
    const asRead = await subjectOf(operation);
    const { begun } = await db.inTransaction(async (tx) => {
      await tx.run(sql`update subject set outcome = 'noted' where id = ${operation.subjectId}`);
      await tx.run(sql`update bank_operation set inquiries = inquiries + 1 where id = ${operation.id}`);
      const settles = settleTogether(operation, approved(operation), asRead);
      await until('the settlement waits', async () => {
        const waits = sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '/* settle */%'`;
        return (await db.many(waits)).length === 1;
      });
      return { begun: settles };
    });
    expect(await begun).toMatchObject({ row: { version: 2 } });
    expect(noted.filter(({ what }) => what === 'settled')).toHaveLength(1);
    expect(await subjectOf(operation)).toMatchObject({ version: 2, outcome: 'approved' });
    expect(await effectsOf(operation)).toHaveLength(1);
    expect(await statusOf(operation)).toBe('approved');
  });

  test('whose operation another one closes with another ending while both wait is settled by one of them', async () => {
    for (let again = 0; again < 20; again++) {
      const operation = await claim();
      const asRead = await subjectOf(operation);
      const other: Ending = { outcome: 'not_processed' };
      const results = await Promise.all([
        settleTogether(operation, approved(operation), asRead),
        settleTogether(operation, other, asRead),
        settleTogether(operation, other),
      ]);
      expect(results.filter((settled) => settled !== undefined)).toHaveLength(1);
      expect(await subjectOf(operation)).toMatchObject({ version: 2, outcome: await statusOf(operation) });
      expect(await effectsOf(operation)).toHaveLength(1);
    }
  });

  test('is not settled where what changes with it is not as it has to be', async () => {
    const operation = await claim();
    const paying: Settler<TestSubject> = {
      subject: testSubject,
      settle: ({ id, version }) => ({
        changes: { version: version + 1 },
        also: {
          locking: sql`select subject_id from waiting where subject_id = ${id} for no key update`,
          writing: sql`delete from waiting where subject_id = ${id}`,
        },
        events: [],
      }),
    };
    const settle = createSettlement({ outbox: noOutbox, handOver: async () => {} }, db);
    await expect(settle(paying, operation, approved(operation))).rejects.toThrow('never as it was read');
    expect(await statusOf(operation)).toBe('open');
    await db.run(sql`insert into waiting values (${operation.subjectId})`);
    expect(await settle(paying, operation, approved(operation))).toMatchObject({ row: { version: 2 } });
    expect(await db.many(sql`select from waiting where subject_id = ${operation.subjectId}`)).toEqual([]);
  });
});
