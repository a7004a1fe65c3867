import '@cobro/testing/check-answers.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { merchant, organizationEvent, partner } from '@cobro/testing/test-facts.ts';
import { foldChanges } from './fold-changes.job.ts';
import { insertManyPayments, newestFirst, type Raw, readRaw } from './test-many-payments.ts';
import { foldOldestChanges } from './payment-tally.store.ts';
import { startReporting } from './reporting-under-test.ts';

let database: TestDatabase;
let reporting: Awaited<ReturnType<typeof startReporting>>;
let all: Raw[];
let ours: Raw[];

const COUNT = 3_000;
const partnerId = newId();
const names = ['Panadería 15', 'Taller Ruiz', 'Otra Casa'];
const organizations = names.map((name, i) => ({
  organizationId: newId(),
  name,
  partnerId: i < 2 ? partnerId : newId(),
}));
const [bakery, garage] = organizations.map(({ organizationId }) => organizationId) as [string, string];

beforeAll(async () => {
  database = await testDatabase('reporting');
  reporting = await startReporting(database.url);
  await reporting.receive(...organizations.map((given) => organizationEvent('OrganizationRegistered', 1, given)));
  await insertManyPayments(
    reporting.db,
    organizations.map(({ organizationId }) => organizationId),
    { count: COUNT },
  );
  await insertManyPayments(reporting.db, [bakery], { count: 3, firstCode: 12 });
  await readAgain();
});
afterAll(async () => {
  await reporting.close();
  await database.drop();
});

async function readAgain() {
  all = newestFirst(await readRaw(reporting.db));
  ours = all.filter(({ organizationId }) => organizationId === bakery || organizationId === garage);
}

type Filter = readonly [query: string, matches: (row: Raw) => boolean];

const partnerStatus: Record<string, string> = {
  HELD: 'PENDING',
  HOLD_RELEASED: 'CANCELLED',
  HOLD_EXPIRED: 'CANCELLED',
};
const shownAs = ({ status }: Raw) => partnerStatus[status] ?? status;
const nameOf = (row: Raw) =>
  organizations.find(({ organizationId }) => organizationId === row.organizationId)?.name ?? '';
const searched =
  (text: string, amount?: bigint) =>
  (row: Raw): boolean =>
    nameOf(row).toLowerCase().includes(text.toLowerCase()) || row.amount === amount;
const part = (text: string) => (row: Raw) => String(row.operationCode).includes(text);

/** Built once the rows exist, because some filters name a row. */
function partnerFilters(): Filter[] {
  const [row, old] = [ours[100], ours.at(-7)] as [Raw, Raw];
  return [
    [`organizationId=${bakery}`, ({ organizationId }) => organizationId === bakery],
    [`id=${row.id}&id=${old.id}&id=${newId()}`, ({ id }) => id === row.id || id === old.id],
    ['status=CANCELLED', (given) => shownAs(given) === 'CANCELLED'],
    ['status=PENDING&status=REFUNDED', (given) => ['PENDING', 'REFUNDED'].includes(shownAs(given))],
    ['type=CARD_PRESENT', () => false],
    ['type=CARD_NOT_PRESENT&type=CARD_NOT_PRESENT', () => true],
    ['financingMethod=INSTALLMENTS', ({ terms }) => terms > 1],
    ['terms=3&terms=12', ({ terms }) => terms === 3],
    ['issuingBank=RARE%20BANK', ({ issuingBank }) => issuingBank === 'RARE BANK'],
    ['issuingBank=OLD%20BANK', ({ issuingBank }) => issuingBank === 'OLD BANK'],
    ['issuingBank=BBVA', ({ issuingBank }) => issuingBank === 'BBVA'],
    ['createdAtFrom=2026-02-10', ({ createdAt }) => createdAt >= new Date('2026-02-10T06:00:00Z')],
    ['createdAtTo=2026-06-30', ({ createdAt }) => createdAt < new Date('2026-07-01T06:00:00Z')],
    [
      'createdAtFrom=2026-03-03T08:00:00Z&createdAtTo=2026-07-09T14:00:00Z',
      ({ createdAt }) => createdAt >= new Date('2026-03-03T08:00:00Z') && createdAt <= new Date('2026-07-09T14:00:00Z'),
    ],
    ['operationCode=1010', part('1010')],
    [`operationCode=${String(row.operationCode).slice(1)}&operationCode=77`, part(String(row.operationCode).slice(1))],
    ['operationCode=12', ({ operationCode }) => operationCode === 12n],
    [
      'operationCode=1010&operationCode=0101&operationCode=10101',
      (given) => part('1010')(given) || part('0101')(given),
    ],
    ['operationCode=12&operationCode=1010', (given) => given.operationCode === 12n || part('1010')(given)],
    ['search=panader', searched('panader')],
    ['search=15', searched('15', 1_500n)],
    [`search=${Number(row.amount) / 100}`, searched(String(Number(row.amount) / 100), row.amount)],
  ];
}

const pairsOf = (filters: Filter[]): Filter[] => [
  ['', () => true],
  ...filters,
  ...filters.flatMap(([query, matches], i) =>
    filters
      .slice(i + 1)
      .filter(([other]) => !sharesName(query, other))
      .map(([other, also]): Filter => [`${query}&${other}`, (row) => matches(row) && also(row)]),
  ),
];

const namesIn = (query: string) => new Set(new URLSearchParams(query).keys());
const sharesName = (a: string, b: string) => [...namesIn(a)].some((name) => namesIn(b).has(name));

/** Reads as the partner and compares page and count with a filter over all rows. Returns the differences. */
async function wrongFor([query, matches]: Filter, offset: number, limit: number): Promise<string[]> {
  const path = `/developer/payment?${query}&offset=${offset}&limit=${limit}`;
  const { status, body } = await reporting.get(partner(partnerId), path);
  if (status !== 200) return [`${path} answered ${status}: ${JSON.stringify(body)}`];
  const right = ours.filter(matches);
  const ids = (body.data as { id: string }[]).map(({ id }) => id);
  const sameIds =
    ids.join() ===
    right
      .slice(offset, offset + limit)
      .map(({ id }) => id)
      .join();
  const { count } = body.pagination;
  return [
    ...(sameIds ? [] : [`${path} shows other payments`]),
    ...(count === right.length ? [] : [`${path} counts ${count}, not ${right.length}`]),
  ];
}

async function wrongForAll(filters: Filter[], isWhole = true): Promise<string[]> {
  const wrong: string[] = [];
  for (const filter of filters) {
    const found = ours.filter(filter[1]).length;
    const offsets = new Set([0, Math.floor(found / 2), Math.max(0, found - 3)]);
    for (const offset of isWhole ? offsets : [0]) {
      wrong.push(...(await wrongFor(filter, offset, offset === 0 ? 20 : 7)));
    }
  }
  return wrong;
}

describe('the partner list shows and counts exactly what a filter over all rows finds', () => {
  test('for each filter and each pair, at the beginning, in the middle and at the end', async () => {
    const filters = partnerFilters();
    const both = pairsOf(filters);
    await expect(wrongForAll(both.slice(0, filters.length + 1))).resolves.toEqual([]);
    // In the short form only the first page of pairs is checked.
    await expect(wrongForAll(both.slice(filters.length + 1), inFull)).resolves.toEqual([]);
  });

  test('while changes wait to be folded, when some are folded, and when all are', async () => {
    await reporting.db.run(sql`
      update payment set refunded_at = confirmed_at where confirmed_at is not null and operation_code % 3 = 0`);
    await readAgain();
    const filters: Filter[] = [['', () => true], ...partnerFilters()];
    await expect(wrongForAll(filters)).resolves.toEqual([]);
    await reporting.db.inTransaction((tx) => foldOldestChanges(tx, 1_000));
    await expect(wrongForAll(filters)).resolves.toEqual([]);
    await foldChanges({ db: reporting.db });
    await foldChanges({ db: reporting.db });
    await expect(reporting.db.one(sql`select count(*)::int as waiting from payment_change`)).resolves.toEqual({
      waiting: 0,
    });
    await expect(wrongForAll(filters)).resolves.toEqual([]);
  });
});

const merchantFilters = (): Filter[] => {
  const row = all.filter(({ organizationId }) => organizationId === bakery)[30] as Raw;
  const linked = all.find(
    ({ organizationId, oneTimePaymentId }) => organizationId === bakery && oneTimePaymentId,
  ) as Raw;
  const renewed = all.find(({ organizationId, subscriptionId }) => organizationId === bakery && subscriptionId) as Raw;
  return [
    ['status=HELD', ({ status }) => status === 'HELD'],
    ['status=HOLD_EXPIRED&status=REFUNDED', ({ status }) => ['HOLD_EXPIRED', 'REFUNDED'].includes(status)],
    ['type=CARD_PRESENT', () => false],
    ['type=CARD_NOT_PRESENT', () => true],
    [`operationCode=${row.operationCode}`, ({ operationCode }) => operationCode === row.operationCode],
    ['createdAtFrom=2026-04-01', ({ createdAt }) => createdAt >= new Date('2026-04-01T06:00:00Z')],
    ['createdAtTo=2026-05-01T00:00:00Z', ({ createdAt }) => createdAt <= new Date('2026-05-01T00:00:00Z')],
    [`paymentMethodId=${row.paymentMethodId}`, ({ paymentMethodId }) => paymentMethodId === row.paymentMethodId],
    [`oneTimePaymentId=${linked.oneTimePaymentId}`, ({ id }) => id === linked.id],
    [`paymentIntentId=${newId()}`, () => false],
    [`paymentLinkId=${newId()}`, () => false],
    [`subscriptionId=${renewed.subscriptionId}`, ({ subscriptionId }) => subscriptionId === renewed.subscriptionId],
  ];
};

test('the developer list walks through exactly what a filter over all rows finds, for each filter and each pair', async () => {
  const mine = all.filter(({ organizationId }) => organizationId === bakery);
  for (const [query, matches] of pairsOf(merchantFilters())) {
    const right = mine.filter(matches).slice(0, 150);
    const walked: string[] = [];
    let cursor: string | null = '';
    do {
      const path = `/developer/v1/payment?${query}&limit=67${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { status, body } = await reporting.get(merchant(bakery), path);
      expect({ path, status }).toEqual({ path, status: 200 });
      walked.push(...(body.data as { id: string }[]).map(({ id }) => id));
      cursor = body.pagination.nextCursor as string | null;
    } while (cursor !== null && walked.length < right.length);
    expect({ query, walked: walked.slice(0, 150) }).toEqual({ query, walked: right.map(({ id }) => id) });
  }
});
