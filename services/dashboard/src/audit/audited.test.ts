import { newId } from '@cobro/contracts/ids.ts';
import { statement } from '@cobro/postgres/sql.ts';
import { type Database, openPatiently, type Queries, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { listAudit } from './audit.store.ts';
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

test('a page of the audit reads the ends of indexes, however much there is of others', async () => {
  const scope = { kind: 'organization', id: newId() } as const;
  await db.run(sql`
    insert into audit (id, at, person_id, scope, scope_id, what, outcome)
    select gen_random_uuid(), now(), gen_random_uuid(), 'organization', gen_random_uuid(), 'x', 'done' from generate_series(1, 20000)`);
  await db.run(sql`
    insert into audit (id, at, person_id, what, outcome)
    select gen_random_uuid(), now(), gen_random_uuid(), 'x', 'done' from generate_series(1, 20000)`);
  await db.run(sql`analyze audit`);
  const plans: string[] = [];
  const explaining = {
    many: async ({ text, values }: { text: string; values: readonly unknown[] }) => {
      const lines = await db.many<object>(statement(`explain ${text}`, values));
      plans.push(lines.flatMap((line) => Object.values(line) as string[]).join('\n'));
      return [];
    },
  } as unknown as Queries;
  const all = { before: undefined, what: undefined, personId: undefined, from: undefined, to: undefined, most: 50 };
  await listAudit(explaining, { ...all, scope });
  await listAudit(explaining, { ...all, scope: { kind: 'platform', id: null } });
  for (const plan of plans) {
    expect(plan).toContain('audit_of_scope');
    expect(plan).toContain('audit_of_person');
    expect(plan).not.toContain('Seq Scan on audit');
  }
  expect(plans).toHaveLength(2);
});
