import type { Result } from '@cobro/client/refusal.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { readDashboardAssets } from '@cobro/dashboard/assets.ts';
import { statement } from '@cobro/postgres/sql.ts';
import { type Database, openPatiently, type Queries, sql } from '@cobro/postgres/database.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { moveClock } from '../clock/move-clock.ts';
import type { Deps } from '../deps.ts';
import { newFormId } from '../http/form-id.ts';
import type { SignedIn } from '../http/screen.ts';
import { anOwner } from '../http/visit-under-test.ts';
import { actOnPayment } from '../payments/act-on-payment.ts';
import { insertPerson } from '../people/person.store.ts';
import { sendToTerminal } from '../terminals/send-to-terminal.ts';
import { countUnanswered, listAudit, recordAudit } from './audit.store.ts';
import { audited } from './audited.ts';
import { exportAudit } from './export-audit.ts';
import { readAudit } from './read-audit.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('dashboard');
  db = openPatiently({ url: database.url, schema: 'dashboard', max: 4 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const rowsOf = (target: string) =>
  db.many<object>(sql`
    select outcome, status, code, asked_id is not null as answers from audit where target = ${target} order by id`);
const visit = { ...anOwner(), from: '192.0.2.1', requestId: 'r-1' } as unknown as SignedIn;
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

test('an action without an answer is counted after two minutes; an export that is not read yet is not', async () => {
  const later = new Date(Date.now() + 3 * 60_000);
  const before = await countUnanswered(db, later);
  const asked = { personId: newId(), scope: visit.scope, outcome: 'asked' } as const;
  await recordAudit(db, { ...asked, what: 'export.payments' });
  expect(await countUnanswered(db, later)).toBe(before);
  await recordAudit(db, { ...asked, what: 'payment.refund' });
  expect(await countUnanswered(db, later)).toBe(before + 1);
});

test('what was done is said also where its answer cannot be written down', async () => {
  const logged: unknown[] = [];
  const log = { error: (_fields: object, what: string) => void logged.push(what) } as Deps['log'];
  const renaming = (from: string, to: string) =>
    withClient({ connectionString: database.adminUrl }, (admin) =>
      admin.query(`alter table dashboard.${from} rename to ${to}`),
    );
  const losing = async () => {
    await renaming('audit', 'away');
    return done({});
  };
  try {
    const action = { what: 'payment.refund', target: newId(), send: losing } as const;
    expect(await audited({ db, log } as Deps, visit, action)).toMatchObject({ kind: 'done' });
  } finally {
    await renaming('away', 'audit');
  }
  expect(logged).toEqual(['an answer is not in the audit']);
});

const lost: Result<never> = { kind: 'lost', why: 'no answer in time' };
const refused = (status: number, code: string) =>
  ({ kind: 'refused', refusal: { status, code, message: '' } }) as Result<never>;
const sent = (result: Result<unknown>) => ({ result: async () => result });
const done = (value: object): Result<object> => ({ kind: 'done', status: 200, value, replayed: false });

function at(fields: Record<string, string>, params: Record<string, string>, api: object): [Deps, SignedIn] {
  const clock = { now: () => new Date() };
  const deps = { db, clock, assets: readDashboardAssets(), isTestMode: true, clockUrl: undefined } as Deps;
  const form = new URLSearchParams(fields);
  return [deps, { ...visit, person: { ...visit.person, id: newId() }, form, params, api } as never];
}

test.each([
  [refused(409, 'REFUND_IN_PROGRESS'), 409, 0],
  [refused(503, 'BANK_UNAVAILABLE'), 503, 0],
  [refused(500, 'INTERNAL_ERROR'), 502, 10_000],
  [refused(502, 'BAD_GATEWAY'), 502, 10_000],
  [refused(504, 'GATEWAY_TIMEOUT'), 502, 10_000],
  [lost, 502, 10_000],
])('of a refund that may have been made, the person’s day keeps the amount: %j', async (result, status, centavos) => {
  const payment = { id: newId(), operationCode: 1, status: 'CONFIRMED', amount: 100, heldAmount: null };
  const origin = {
    paymentMethodId: newId(),
    oneTimePaymentId: null,
    paymentIntentId: null,
    paymentLinkId: null,
    subscriptionId: null,
  };
  const [deps, signedIn] = at(
    {},
    { id: payment.id, action: 'refund' },
    {
      call: () => sent(done({ payment: { ...payment, ...origin }, complete: true, operations: [] })),
      payments: { refund: () => sent(result) },
    },
  );
  const { id, name } = signedIn.person;
  const person = {
    id,
    email: `${id}@example.com`,
    name,
    passwordHash: '',
    language: 'es',
    createdAt: new Date(),
  } as const;
  await insertPerson(db, person);
  const answer = await actOnPayment(deps, signedIn);
  expect([answer.status, answer.html?.includes('NO_ANSWER')]).toEqual([status, centavos > 0]);
  const day = await db.one<{ centavos: number }>(sql`
    select centavos::int as centavos from refund_day where person_id = ${signedIn.person.id}`);
  expect(day.centavos).toBe(centavos);
});

test.each(['capture', 'release'])(
  'a %s of a payment without a saved card is refused before it is in the audit',
  async (action) => {
    const payment = { id: newId(), status: 'HELD', amount: 100, paymentMethodId: null, oneTimePaymentId: newId() };
    const api = { call: () => sent(done({ payment, complete: true, operations: [] })) };
    await expect(actOnPayment(...at({}, { id: payment.id, action }, api))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await rowsOf(payment.id)).toEqual([]);
  },
);

test('the tile whose answer was lost keeps its form, so that it makes no second intent', async () => {
  const formId = newFormId(new Date());
  const nothing = { branch: null, salesperson: null, seenAt: null, openIntent: null, lastOutcome: null };
  const tile = (terminalCode: string) => ({ ...nothing, id: newId(), terminalCode });
  const page = async (result: Result<never>) => {
    const [deps, signedIn] = at(
      { terminal: 'CAJA-1', formId, amount: '185.50' },
      {},
      {
        paymentIntents: {
          create: () => sent(result),
          terminals: () => sent(done({ items: [tile('CAJA-1'), tile('CAJA-2')], count: 2 })),
        },
      },
    );
    const { html = '' } = await sendToTerminal(deps, signedIn);
    return [html.split(`name="formId" value="${formId}"`).length - 1, html.split('value="185.50"').length - 1];
  };
  expect(await page(lost)).toEqual([1, 1]);
  expect(await page(refused(502, 'BAD_GATEWAY'))).toEqual([1, 1]);
  expect(await page(refused(404, 'TERMINAL_NOT_FOUND'))).toEqual([0, 0]);
});

test('a clock that does not answer is not in the audit as moved', async () => {
  const [deps, signedIn] = at({ move: 'day' }, {}, {});
  const answer = await moveClock({ ...deps, clockUrl: 'http://127.0.0.1:9' }, signedIn);
  expect(answer.html).toContain('El reloj no contestó');
  const rows = await db.many(sql`select outcome, code from audit where person_id = ${signedIn.person.id} order by id`);
  expect(rows).toEqual([
    { outcome: 'asked', code: null },
    { outcome: 'answered', code: 'NO_ANSWER' },
  ]);
});

test('exports that release 0.1.0 wrote down are among the exports', async () => {
  const scope = { kind: 'organization', id: newId() } as const;
  const names = ['payments.export', 'partner.export', 'export.payments', 'payment.refund'];
  await db.run(sql`
    insert into audit (id, at, person_id, scope, scope_id, what, outcome)
    select gen_random_uuid(), now(), gen_random_uuid(), 'organization', ${scope.id}, name, 'done' from unnest(${names}::text[]) as name`);
  const all = { scope, before: undefined, personId: undefined, from: undefined, to: undefined, most: 50 };
  const named = async (what: string) => (await listAudit(db, { ...all, what })).map((row) => row.what).toSorted();
  expect(await named('export')).toEqual(['export.payments', 'partner.export', 'payments.export']);
  expect(await named('payment')).toEqual(['payment.refund']);
});

test('an export is made page by page, newest first, and is itself in the audit', async () => {
  const [deps, signedIn] = at({}, {}, {});
  const scope = { kind: 'organization', id: newId() } as const;
  const ids = Array.from({ length: 1_200 }, (_, i) => newId(Date.now() - 60_000 + i));
  await db.run(sql`
    insert into audit (id, at, person_id, scope, scope_id, what, target, outcome)
    select id, now(), gen_random_uuid(), 'organization', ${scope.id}, 'payment.refund', id::text, 'done' from unnest(${ids}::uuid[]) as id`);
  const answer = await exportAudit(deps, { ...signedIn, scope, query: new URLSearchParams('what=payment') });
  const parts: string[] = [];
  for await (const part of answer.parts ?? []) parts.push(part);
  expect(parts.map((part) => part.trim().split('\r\n').length)).toEqual([1, 500, 500, 200]);
  const targets = parts
    .slice(1)
    .flatMap((part) => [...part.matchAll(/"payment.refund","([^"]+)"/g)].map(([, id]) => id));
  expect(targets).toEqual(ids.toReversed());
  const kept = await db.many<object>(sql`
    select target, outcome, status from audit where what = 'export.audit' and scope_id = ${scope.id} order by id`);
  expect(kept).toEqual([
    { target: 'what', outcome: 'asked', status: null },
    { target: 'what', outcome: 'answered', status: 200 },
  ]);
});

test('reads of one scope, however many, leave connections to others', async () => {
  const other = openPatiently({ url: database.url, schema: 'dashboard', max: 1 });
  const scope = { kind: 'organization', id: newId() } as const;
  const page = { before: undefined, what: undefined, personId: undefined, from: undefined, to: undefined, most: 50 };
  const reads = await other.inTransaction(async (tx) => {
    await tx.run(sql`lock table person in access exclusive mode`);
    const begun = Array.from({ length: 8 }, () => readAudit({ db }, { ...page, scope }));
    expect(await db.one(sql`select 1 as one`)).toEqual({ one: 1 });
    return begun;
  });
  expect(await Promise.all(reads)).toEqual(reads.map(() => []));
  await other.close();
});

test('a page of the audit reads the ends of indexes, however much there is of others', async () => {
  const scope = { kind: 'organization', id: newId() } as const;
  await db.run(sql`
    insert into audit (id, at, person_id, scope, scope_id, what, outcome)
    select gen_random_uuid(), now(), gen_random_uuid(), 'organization', gen_random_uuid(), 'x', 'done' from generate_series(1, 20000)`);
  await db.run(sql`
    insert into audit (id, at, person_id, what, outcome)
    select gen_random_uuid(), now(), gen_random_uuid(), 'x', 'done' from generate_series(1, 20000)`);
  // The service's own role may not analyze: Postgres would only warn.
  await withClient({ connectionString: database.adminUrl }, (admin) => admin.query('analyze dashboard.audit'));
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
