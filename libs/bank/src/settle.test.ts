import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { openTestMetrics } from '@cobro/testing/test-metrics.ts';
import { insertOperation, type Operation } from './journal.store.ts';
import { bankMigrations } from './migrations.ts';
import { createSettlement, type Ending, type Settlement } from './settle.ts';

let database: TestDatabase;
let db: Database;
let settleTogether: Settlement<string>;
const metrics = openTestMetrics();
/** The settlement of these subjects fails. */
const failing = new Set<string>();
const handedOver: string[] = [];
/** Stands for the trace of whoever settles: the id of the subject. */
const trace = new AsyncLocalStorage<string>();
/** In which trace what was done about a subject. */
const told: { of: string; what: string; in: string | undefined }[] = [];

beforeAll(async () => {
  database = await testDatabase({ name: 'bank', migrations: [bankMigrations] });
  db = openPatiently({ url: database.url, schema: 'bank' });
  await db.run(sql`create table effect (subject_id uuid not null, reference text not null)`);
  settleTogether = createSettlement(
    {
      settle: {
        expire: async (tx, { subjectId }, ending) => {
          told.push({ of: subjectId, what: 'settled', in: trace.getStore() });
          await tx.run(sql`select from effect where subject_id = ${subjectId}`);
          const reference = ending.outcome === 'approved' ? ending.reference : '';
          tx.send(sql`insert into effect (subject_id, reference) values (${subjectId}, ${reference})`);
          if (failing.has(subjectId)) throw new Error('the settlement failed');
          return { row: subjectId, events: [{ id: subjectId } as never] };
        },
      },
      outbox: { append: (_tx, { id }) => void told.push({ of: id, what: 'appended', in: trace.getStore() }) },
      handOver: async (events) => {
        handedOver.push(...events.map(({ id }) => id));
        told.push(...events.map(({ id }) => ({ of: id, what: 'handed over', in: trace.getStore() })));
      },
    },
    db,
  );
});
beforeEach(() => {
  failing.clear();
  handedOver.length = 0;
  told.length = 0;
});
afterAll(async () => {
  await metrics.stop();
  await db.close();
  await database.drop();
});

const claim = (): Promise<Operation> =>
  db.inTransaction(async (tx) => insertOperation(tx, { purpose: 'expire', subjectId: newId() }, 60_000));
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

/** Settles 24 operations at once; each with what its caller got, or the error. */
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
    expect(result).toMatchObject({ row: operation.subjectId });
    expect(await effectsOf(operation)).toEqual([{ reference: `voi_${operation.id}` }]);
    expect(await statusOf(operation)).toBe('approved');
  }
  expect(handedOver.toSorted()).toEqual(all.map(({ operation }) => operation.subjectId).toSorted());
  const { transactions } = await db.one<{ transactions: number }>(sql`
    select count(distinct xmin::text)::int as transactions from effect
    where subject_id = any(${all.map(({ operation }) => operation.subjectId)})`);
  expect(transactions).toBeLessThan(all.length / 2);
});

test('the one that cannot be written down stays open, and none of the others is lost', async () => {
  const [bad, ...good] = await together(([first]) => failing.add(first?.subjectId ?? ''));
  expect(bad?.result).toBe('the settlement failed');
  expect(await statusOf(bad?.operation as Operation)).toBe('open');
  expect(await effectsOf(bad?.operation as Operation)).toEqual([]);
  for (const { operation, result } of good) {
    expect(result).toMatchObject({ row: operation.subjectId });
    expect(await effectsOf(operation)).toHaveLength(1);
  }
});

test('what is done about each is in its own trace, whichever came with it', async () => {
  await together(([first]) => failing.add(first?.subjectId ?? ''));
  expect(new Set(told.map(({ what }) => what))).toEqual(new Set(['settled', 'appended', 'handed over']));
  expect(told.filter((one) => one.in !== one.of)).toEqual([]);
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

test('what was settled is counted once, by purpose, outcome and reason; a reason that nobody knows is `other`', async () => {
  const counted = async () => {
    const all = await metrics.read('cobro.operations.settled');
    return new Map(all.map(({ value, attributes }) => [Object.values(attributes).join(' '), value]));
  };
  const before = (await counted()).get('expire approved none') ?? 0;
  await together(([first]) => failing.add(first?.subjectId ?? ''));
  const said = { reference: null, time: new Date(), authCode: null, resultCode: null, text: null };
  for (const declineCode of ['do_not_honor', 'somebody, born 1 May 1970', 'somebody else']) {
    const operation = await claim();
    await settleTogether(operation, { outcome: 'declined', declineCode, ...said });
    await settleTogether(operation, { outcome: 'declined', declineCode, ...said });
  }
  const after = await counted();
  expect(after.get('expire approved none')).toBe(before + 23);
  expect(after.get('expire declined do_not_honor')).toBe(1);
  expect(after.get('expire declined other')).toBe(2);
  expect(after.size).toBe(3);
});
