import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { openPatiently, type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { foldChanges } from './fold-changes.job.ts';
import { insertManyPayments } from './test-many-payments.ts';
import { readDayParts, readHours } from './day-sum.store.ts';
import { findOpenHolds, readEndings } from './hold-board.store.ts';
import { findPartnerPage, type PartnerFilters } from './partner-page.ts';
import { findPayments, type PaymentFilters } from './payment.store.ts';
import { startReporting } from './reporting-under-test.ts';

let database: TestDatabase;
let reporting: Awaited<ReturnType<typeof startReporting>>;
const COUNT = 30_000;
const organizations = [newId(), newId(), newId()];

beforeAll(async () => {
  database = await testDatabase('reporting');
  reporting = await startReporting(database.url);
  await insertManyPayments(reporting.db, organizations, { count: COUNT, email: 'Caja@example.com' });
  while ((await foldChanges({ db: reporting.db })) > 0);
  await vacuum();
});
afterAll(async () => {
  await reporting.close();
  await database.drop();
});

async function vacuum() {
  const admin = openPatiently({ url: database.adminUrl, schema: 'reporting' });
  await admin.run(sql`vacuum analyze payment, payment_tally, day_sum`);
  await admin.close();
}

/** Index conditions that are selective. Without one of them the whole index is read. */
const BOUNDED =
  /organization_id = |operation_code (=|>=|IS NOT NULL)|\bid = |payment_method_id = |_payment_id = |array_remove\(/;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

/** Runs the read and explains each of its statements: which rows of payments were read, and how. */
async function explained(queries: Queries, read: (queries: Queries) => Promise<unknown>) {
  const statements: Sql[] = [];
  const noting =
    <T>(run: (statement: Sql) => Promise<T>) =>
    (statement: Sql) => {
      statements.push(statement);
      return run(statement);
    };
  await read({
    many: noting(queries.many),
    one: noting(queries.one),
    maybe: noting(queries.maybe),
    run: noting(queries.run),
  } as Queries);
  let [payments, sums] = [0, 0];
  const unbounded: string[] = [];
  const indexes = new Set<string>();
  const look = (node: PlanNode): void => {
    const { 'Relation Name': relation = '' } = node;
    if (relation === 'payment')
      payments += node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
    if (relation.startsWith('day_'))
      sums += node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
    indexes.add(node['Index Name'] ?? '');
    const isWhole = node['Node Type'] === 'Seq Scan' && ['payment', 'payment_tally'].includes(relation);
    const isIndex = (node['Index Name'] ?? '').startsWith('payment_') && !BOUNDED.test(node['Index Cond'] ?? '');
    if (isWhole || isIndex) unbounded.push(node['Index Name'] ?? relation);
    node.Plans?.forEach(look);
  };
  for (const statement of statements) {
    const rows = await queries.many<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      sql`explain (analyze, format json) ${statement}`,
    );
    look(rows[0]!['QUERY PLAN'][0]!.Plan);
  }
  return { payments, sums, unbounded, indexes };
}

const anyKind = {
  status: undefined,
  type: undefined,
  installments: undefined,
  terms: undefined,
  issuingBank: undefined,
};
const noSearch = { codeParts: [], wholeCodes: [], named: undefined };
const everything: PartnerFilters = {
  organizations,
  ids: undefined,
  kinds: anyKind,
  from: undefined,
  to: undefined,
  search: noSearch,
};
const february = { from: new Date('2026-02-01T09:00:00.000Z'), to: new Date('2026-02-20T22:00:00.000Z') };

const explainPartner = (filters: Partial<PartnerFilters>, offset = 0) =>
  explained(reporting.reads.partners, (queries) =>
    findPartnerPage(queries, { ...everything, ...filters }, { offset, limit: 20 }),
  );

const partnerReads: [string, Partial<PartnerFilters>, offset: number][] = [
  ['no filter', {}, 0],
  ['no filter, deep', {}, 21_000],
  ['a type that matches nothing', { kinds: { ...anyKind, type: ['CARD_PRESENT'] } }, 0],
  ['a type, deep', { kinds: { ...anyKind, type: ['CARD_NOT_PRESENT'] } }, 21_000],
  ['a status', { kinds: { ...anyKind, status: ['CONFIRMED'] } }, 0],
  ['a status, deep', { kinds: { ...anyKind, status: ['CONFIRMED'] } }, 9_000],
  ['a rare bank', { kinds: { ...anyKind, issuingBank: ['RARE BANK'] } }, 0],
  ['a bank of long ago', { kinds: { ...anyKind, issuingBank: ['OLD BANK'] } }, 0],
  ['bank and status', { kinds: { ...anyKind, issuingBank: ['BBVA'], status: ['CONFIRMED'] } }, 0],
  ['bank and status, deep', { kinds: { ...anyKind, issuingBank: ['BBVA'], status: ['CONFIRMED'] } }, 5_000],
  ['dates', february, 0],
  ['dates and status', { ...february, kinds: { ...anyKind, status: ['REFUNDED'] } }, 0],
  ['an operation code', { search: { ...noSearch, codeParts: ['104321'] } }, 0],
  ['four digits of a code', { search: { ...noSearch, codeParts: ['4321'] } }, 0],
  [
    'twenty parts of codes',
    { search: { ...noSearch, codeParts: Array.from({ length: 20 }, (_, i) => `${104321 + i}`) } },
    0,
  ],
  ['a whole code', { search: { ...noSearch, wholeCodes: [77n] } }, 0],
  [
    'a part of a code and a bank',
    { kinds: { ...anyKind, issuingBank: ['BBVA'] }, search: { ...noSearch, codeParts: ['10432'] } },
    0,
  ],
  ['an amount', { search: { ...noSearch, named: { organizations: [], amount: 2_000n } } }, 0],
];

test.each(partnerReads)(
  '%s: the partner list reads a small part of the payments, by index',
  async (_, filters, offset) => {
    const { payments, unbounded } = await explainPartner(filters, offset);
    expect(unbounded).toEqual([]);
    expect(payments).toBeLessThan(COUNT / 20);
  },
);

describe('on a day with 12,000 payments', () => {
  const day = { from: new Date('2026-06-15T06:00:00.000Z'), to: new Date('2026-06-16T05:59:59.999Z') };
  const ofBank = (bank: string) => explainPartner({ ...day, kinds: { ...anyKind, issuingBank: [bank] } });
  beforeAll(async () => {
    await insertManyPayments(reporting.db, organizations.slice(0, 1), {
      count: 12_000,
      firstCode: 1_000_000,
      made: sql`${day.from}::timestamptz + n * interval '7 seconds'`,
      amount: sql`77700`,
      issuingBank: sql`case when n % 3000 = 0 then 'RARE TODAY' when n % 2 = 0 then 'BBVA' else 'AZTECA' end`,
    });
    while ((await foldChanges({ db: reporting.db })) > 0);
    await vacuum();
  });

  test.each([
    ['BBVA', 'many', 1_000],
    ['RARE TODAY', 'few', 20],
  ])('a page of %s, of which there are %s, is read kind by kind', async (bank, _, most) => {
    const { payments, indexes } = await ofBank(bank);
    expect([...indexes]).toContain('payment_by_kind');
    expect(payments).toBeLessThan(most);
  });

  test('the newest with an amount that all of them have are read, and no others', async () => {
    const [organizationId] = organizations as [string];
    const filters = { amountFrom: 77_700n, amountTo: 77_700n };
    const { payments } = await explained(reporting.reads.merchants, (queries) =>
      findPayments(queries, { organizationId, filters, after: undefined, limit: 21 }),
    );
    expect(payments).toBeLessThan(100);
  });
});

test.each([
  ['a part of a code', ['104321'], {}],
  ['a part of a code and dates', ['104321'], february],
  ['two parts of a code', ['104321', '20432'], {}],
])('%s is looked up in the index of parts', async (_, codeParts, range) => {
  const { payments, unbounded, indexes } = await explainPartner({ ...range, search: { ...noSearch, codeParts } });
  expect([...indexes]).toContain('payment_by_code_part');
  expect(unbounded).toEqual([]);
  expect(payments).toBeLessThan(100);
});

const noFilter: PaymentFilters = {
  status: undefined,
  type: undefined,
  operationCode: undefined,
  from: undefined,
  to: undefined,
  paymentMethodId: undefined,
  oneTimePaymentId: undefined,
  paymentIntentId: undefined,
};

const merchantReads: [string, Partial<PaymentFilters>][] = [
  ['no filter', {}],
  ['a type that matches nothing', { type: 'CARD_PRESENT' }],
  ['a status', { status: ['HOLD_EXPIRED'] }],
  ['status and dates', { ...february, status: ['REFUNDED'] }],
  ['status and type', { status: ['HELD', 'REFUNDED'], type: 'CARD_PRESENT' }],
  ['a saved card that has no payment', { paymentMethodId: newId() }],
  ['a link', { oneTimePaymentId: newId() }],
  ['an operation code and a status', { operationCode: 100_007, status: ['HELD'] }],
  ['a source that matches nothing', { source: 'PAYMENT_INTENT' }],
  ['a source that matches all', { source: 'SAVED_CARD' }],
  ['an amount', { amountFrom: 2_000n, amountTo: 2_000n }],
  ['an amount and a status', { amountFrom: 2_000n, amountTo: 2_000n, status: ['HELD'] }],
  ['a range of amounts', { amountFrom: 2_000n, amountTo: 8_000n }],
  ['an amount that no payment has', { amountFrom: 90_000_000n }],
  ['a rare bank', { issuingBank: 'RARE BANK' }],
  ['a bank of long ago', { issuingBank: 'OLD BANK' }],
  ['a bank and terms', { issuingBank: 'BBVA', terms: 6 }],
  ['terms that match nothing', { terms: 18 }],
  ['four digits that match nothing', { lastFourDigits: '0000' }],
  ['four digits that match all', { lastFourDigits: '4242' }],
  ['an externalId', { externalId: 'order-7' }],
  ['an e-mail', { email: 'ana@example.com' }],
  ['an e-mail that matches all', { email: 'caja@example.com' }],
];

test.each(merchantReads)('%s: the developer list reads a small part of the payments, by index', async (_, filters) => {
  const [organizationId] = organizations as [string];
  const { payments, unbounded } = await explained(reporting.reads.merchants, (queries) =>
    findPayments(queries, { organizationId, filters: { ...noFilter, ...filters }, after: undefined, limit: 21 }),
  );
  expect(unbounded).toEqual([]);
  expect(payments).toBeLessThan(COUNT / 20);
});

describe('reports', () => {
  const [organizationId] = organizations as [string];
  const explainReport = (read: (queries: Queries) => Promise<unknown>) => explained(reporting.reads.merchants, read);
  const month = { organizationId, from: '2026-03-01', to: '2026-03-31' };

  test.each(['made', 'settled', 'refunded'] as const)(
    '%s: sums of these days are read, and no payments',
    async (moment) => {
      const read = (queries: Queries) => readDayParts(queries, [moment], month);
      const { payments, unbounded, sums } = await explainReport(read);
      expect(unbounded).toEqual([]);
      expect(payments).toBe(0);
      expect(sums).toBeLessThan(31 * 10);
      expect(await read(reporting.reads.merchants)).not.toEqual([]);
    },
  );

  test('hours read the payments of the day, by index', async () => {
    const day = { organizationId, from: new Date('2026-03-01T06:00:00Z'), to: new Date('2026-03-02T05:59:59.999Z') };
    const { payments, unbounded } = await explainReport((queries) => readHours(queries, day));
    expect(unbounded).toEqual([]);
    expect(payments).toBeLessThan(20);
  });

  test('the hold board reads open holds, by index', async () => {
    // In these rows holds of many years are open; in production a hold is open for a week.
    const now = new Date('2033-06-01T00:00:00Z');
    const asked = { organizationId, now, from: undefined, to: undefined, limit: 20, offset: 0 };
    for (const read of [readEndings, findOpenHolds]) {
      const { payments, unbounded } = await explainReport((queries) => read(queries, asked));
      expect(unbounded).toEqual([]);
      expect(payments).toBeLessThan(COUNT / 20);
    }
    const ofYear = { ...asked, now: new Date('2032-06-01T00:00:00Z') };
    const ofDay = { ...ofYear, from: new Date('2033-01-01T06:00:00Z'), to: new Date('2033-01-02T05:59:59.999Z') };
    const [year, day] = [
      await explainReport((queries) => readEndings(queries, ofYear)),
      await explainReport((queries) => readEndings(queries, ofDay)),
    ];
    expect(day.unbounded).toEqual([]);
    expect(day.payments).toBeLessThan(year.payments / 20);
  });
});
