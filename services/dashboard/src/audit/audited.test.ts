import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { audited } from './audited.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('dashboard');
  db = openPatiently({ url: database.url, schema: 'dashboard', max: 2 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const rowsOf = (target: string) =>
  db.many<object>(sql`
    select outcome, status, code, asked_id is not null as answers from audit where target = ${target} order by id`);
const visit = {
  person: { id: newId(), email: 'ana@example.com', name: 'Ana' },
  scope: { kind: 'organization', id: newId() },
  from: '192.0.2.1',
  requestId: 'r-1',
} as SignedIn;
const send = (target: string, answer: () => Promise<{ kind: 'lost'; why: string }>) =>
  audited({ db } as Deps, visit, { what: 'payment.refund', target, send: answer });

test('what is asked is committed before it is sent, and its answer after', async () => {
  const target = newId();
  const asked = { outcome: 'asked', status: null, code: null, answers: false };
  await send(target, async () => {
    expect(await rowsOf(target)).toEqual([asked]);
    return { kind: 'lost', why: 'no answer in time' };
  });
  expect(await rowsOf(target)).toEqual([
    asked,
    { outcome: 'answered', status: null, code: 'NO_ANSWER', answers: true },
  ]);
});

test('where nothing is known of the answer, the asking stays', async () => {
  const target = newId();
  await expect(send(target, () => Promise.reject(new Error('the process dies')))).rejects.toThrow('the process dies');
  expect(await rowsOf(target)).toHaveLength(1);
});
