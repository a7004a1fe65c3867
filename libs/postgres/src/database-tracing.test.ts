import { recordSpans } from '@cobro/testing/record-spans.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { type Database, openDatabase, sql } from './database.ts';

const { ended, stop } = recordSpans();
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase({ name: 'traced', migrations: [] });
  db = openDatabase({ url: database.url, schema: 'traced' });
});
afterAll(async () => {
  await db.close();
  await database.drop();
  await stop();
});
beforeEach(() => void ended.splice(0));

/** Runs `work` in a traced request, and returns the spans below the request's. */
async function inRequest(name: string, work: () => Promise<unknown>) {
  await trace.getTracer('test').startActiveSpan(name, async (span) => {
    await work().catch(() => {});
    span.end();
  });
  const request = ended.find((span) => span.name === name);
  return ended
    .filter((span) => span.parentSpanContext?.spanId === request?.spanContext().spanId)
    .map((span) => ({
      name: span.name.split(' ').slice(0, 2).join(' '),
      statements: span.attributes['db.query.summary'],
      code: span.attributes['db.response.status_code'],
      failed: span.status.code === SpanStatusCode.ERROR,
    }));
}
const unfailed = { code: undefined, failed: false };

test('a statement by itself has no span', async () => {
  expect(await inRequest('a', () => db.one(sql`select 1 as one from pg_class limit 1`))).toEqual([]);
});

test('a transaction is one span that names its statements, those that nobody waits for too', async () => {
  const work = () =>
    db.inTransaction(async (tx) => {
      tx.send(sql`select 1 from pg_class limit 1`);
      await tx.one(sql`select 1 as one from pg_type limit 1`);
    });
  const statements = 'select pg_class, select pg_type, commit';
  expect(await inRequest('a', work)).toEqual([{ name: 'transaction', statements, ...unfailed }]);
});

test('statements that share a transaction have a span each, in the trace of whoever brought them', async () => {
  const work = (subject: string) => () =>
    db.inSharedTransaction(subject, sql`select ${subject} as subject from pg_class limit 1`);
  const traced = await Promise.all(['a', 'b', 'c'].map((name) => inRequest(name, work(name))));
  const each = [{ name: 'select pg_class', statements: undefined, ...unfailed }];
  expect(traced).toEqual([each, each, each]);
});

test('what the database cannot do is an error with its code, and what somebody refuses is none', async () => {
  const wrong = () => db.inTransaction((tx) => tx.run(sql`select 1 / 0`));
  expect(await inRequest('a', wrong)).toMatchObject([{ name: 'transaction', code: '22012', failed: true }]);
  const refused = () =>
    db.inTransaction(async (tx) => {
      await tx.one(sql`select 1 as one`);
      throw Object.assign(new Error('no'), { code: 'REFUSED' });
    });
  expect(await inRequest('b', refused)).toEqual([{ name: 'transaction', statements: 'select, rollback', ...unfailed }]);
});

test('where nothing is traced, and where the request is not sampled, nothing is made', async () => {
  await db.one(sql`select 1 as one`);
  const unsampled = trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 0 });
  await context.with(trace.setSpan(context.active(), unsampled), () => db.inTransaction((tx) => tx.run(sql`select 1`)));
  expect(ended).toEqual([]);
});
