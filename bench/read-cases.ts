import type pg from 'pg';

/** One kind of request to measure. `paths` are requested in turn, so that a different page is read each time. */
export interface ReadCase {
  name: string;
  caller: 'merchant' | 'partner';
  paths: string[];
}

/** A filter with some of its values, each as a part of a query. */
type Filter = readonly [name: string, ...queries: string[]];

interface Sample {
  id: string;
  code: string;
  card: string | null;
  link: string | null;
  amount: string;
  created: string;
}

/** Every filter of both lists alone and in pairs, first and later pages, and the detail, with values of existing rows. */
export async function readCases(client: pg.Client, organizationId: string): Promise<ReadCase[]> {
  const samples = await samplesOf(client, organizationId);
  const { rows } = await client.query<{ count: string; others: string[] }>(
    `select (select sum(payments) from reporting.payment_tally where span = 'month' and organization_id = any(theirs.ids)) as count,
       array(select id::text from unnest(theirs.ids) as id where id <> $1 limit 3) as others
     from (
       select array_agg(id) as ids from reporting.organization
       where partner_id = (select partner_id from reporting.organization where id = $1)
     ) as theirs`,
    [organizationId],
  );
  const total = Number(rows[0]?.count);
  return [
    ...casesOf('merchant', '/developer/v1/payment', merchantFilters(samples)),
    { name: 'merchant: detail', caller: 'merchant', paths: samples.map(({ id }) => `/developer/v1/payment/${id}`) },
    ...productCases,
    ...paymentLinkCases,
    ...casesOf('partner', '/developer/payment', partnerFilters(samples, [organizationId, ...(rows[0]?.others ?? [])])),
    ...deepCases(total),
  ];
}

async function samplesOf(client: pg.Client, organizationId: string): Promise<Sample[]> {
  const { rows } = await client.query<Sample>(
    `select id, operation_code::text as code, payment_method_id as card, one_time_payment_id as link,
       (amount * 0.01)::numeric(14, 2)::text as amount, to_char(created_at, 'YYYY-MM-DD') as created
     from (
       select timestamptz 'now' - random() * interval '3 years' as at from generate_series(1, 24)
     ) as moments
     cross join lateral (
       select * from reporting.payment where organization_id = $1 and status is not null and created_at <= greatest(at, (
         select min(created_at) from reporting.payment where organization_id = $1 and status is not null
       ))
       order by created_at desc limit 1
     ) as met`,
    [organizationId],
  );
  return rows;
}

const each = <T>(values: readonly T[], query: (value: T) => string) => values.map(query);
const some = (values: readonly (string | null)[]) => values.filter((value) => value !== null).slice(0, 8);

const merchantFilters = (samples: Sample[]): Filter[] => [
  ['status', 'status=CONFIRMED', 'status=REFUNDED', 'status=HOLD_EXPIRED', 'status=HELD&status=CANCELLED'],
  ['type', 'type=CARD_PRESENT', 'type=CARD_NOT_PRESENT'],
  ['operationCode', ...each(samples, ({ code }) => `operationCode=${code}`)],
  ['createdAt', ...each(samples, ({ created }) => `createdAtFrom=2025-01-10&createdAtTo=${created}`)],
  ['paymentMethodId', ...each(some(samples.map(({ card }) => card)), (id) => `paymentMethodId=${id}`)],
  ['oneTimePaymentId', ...each(some(samples.map(({ link }) => link)), (id) => `oneTimePaymentId=${id}`)],
  ['paymentIntentId', ...each(samples.slice(0, 2), ({ id }) => `paymentIntentId=${id}`)],
];

const partnerFilters = (samples: Sample[], organizations: string[]): Filter[] => [
  ['organizationId', ...each(organizations, (id) => `organizationId=${id}`)],
  ['id', ...each(samples, ({ id }) => `id=${id}`)],
  ['status', 'status=CONFIRMED', 'status=REFUNDED', 'status=PENDING', 'status=CANCELLED'],
  ['type', 'type=CARD_PRESENT', 'type=CARD_NOT_PRESENT'],
  ['financingMethod', 'financingMethod=INSTALLMENTS', 'financingMethod=PAY_NOW'],
  ['terms', 'terms=12', 'terms=6&terms=9', 'terms=24'],
  ['issuingBank', 'issuingBank=SI%20VALE', 'issuingBank=BANORTE', 'issuingBank=NOBODY'],
  ['createdAt', ...each(samples, ({ created }) => `createdAtFrom=2024-03-05&createdAtTo=${created}`)],
  ['operationCode', ...each(samples, ({ code }) => `operationCode=${code.slice(-5)}`)],
  ['search by name', 'search=caf', 'search=hidalgo', 'search=zzz'],
  ['search by amount', ...each(samples, ({ amount }) => `search=${amount}`)],
];

/** No filter, each alone, and each pair. */
function casesOf(caller: ReadCase['caller'], path: string, filters: Filter[]): ReadCase[] {
  const named = (names: string, queries: string[]): ReadCase => ({
    name: `${caller}: ${names}`,
    caller,
    paths: queries.map((query) => `${path}?${query}`),
  });
  const pairs = filters.flatMap(([name, ...queries], i) =>
    filters
      .slice(i + 1)
      .filter(([other]) => !(name.startsWith('search') && other.startsWith('search')))
      .map(([other, ...others]) => named(`${name}, ${other}`, together(queries, others))),
  );
  return [named('no filter', ['']), ...filters.map(([name, ...queries]) => named(name, queries)), ...pairs];
}

/** Twelve pairs of values, so that each value meets others. */
const together = (queries: string[], others: string[]) =>
  Array.from(
    { length: 12 },
    (_, i) => `${queries[i % queries.length]}&${others[(i + Math.floor(i / others.length)) % others.length]}`,
  );

/** The giant's products: ten thousand if it has 400,000 payments. */
const productCases: ReadCase[] = [
  {
    name: 'merchant: products',
    caller: 'merchant',
    paths: ['/product', '/product?status=ARCHIVED', '/product?status=ACTIVE'],
  },
  {
    name: 'merchant: products, any page',
    caller: 'merchant',
    paths: [5, 40, 75, 99].map((page) => `/product?page=${page}`),
  },
  {
    name: 'merchant: products by cursor',
    caller: 'merchant',
    paths: ['', 'status=ARCHIVED', 'limit=100', 'createdAtTo=2025-03-05', 'status=ARCHIVED&createdAtTo=2025-03-05'].map(
      (query) => `/developer/v1/product?${query}`,
    ),
  },
];

/** The giant has one payment link for ten payments. */
const paymentLinkCases: ReadCase[] = [
  {
    name: 'merchant: payment links',
    caller: 'merchant',
    paths: [1, 7, 60].map((page) => `/payment-link?page=${page}`),
  },
  ...['ACTIVE', 'INACTIVE', 'EXPIRED', 'SOLD_OUT'].map((status) => ({
    name: `merchant: payment links, ${status}`,
    caller: 'merchant' as const,
    paths: [1, 8, 90].map((page) => `/payment-link?status=${status}&page=${page}`),
  })),
  {
    name: 'merchant: payment links by cursor',
    caller: 'merchant',
    paths: ['', 'status=SOLD_OUT', 'status=INACTIVE&status=EXPIRED', 'createdAtTo=2025-03-05&status=ACTIVE'].map(
      (query) => `/developer/v1/payment-link?${query}`,
    ),
  },
];

const deepCases = (total: number): ReadCase[] => {
  const list = (name: string, ...queries: string[]): ReadCase => ({
    name: `partner: ${name}`,
    caller: 'partner',
    paths: queries.map((query) => `/developer/payment?${query}`),
  });
  const at = (share: number) => `offset=${Math.floor(total * share)}`;
  return [
    list('offset anywhere', at(0.1), at(0.5), at(0.9), at(0.999)),
    list('offset anywhere, status', ...[0.05, 0.3, 0.6].map((share) => `status=CONFIRMED&${at(share)}`)),
    list('offset anywhere, issuingBank', ...[0.01, 0.05, 0.08].map((share) => `issuingBank=BANORTE&${at(share)}`)),
    list('operationCode of four digits', 'operationCode=1234', 'operationCode=7777', 'operationCode=9051'),
    list('limit 100', 'limit=100', 'limit=100&status=CONFIRMED', 'limit=100&issuingBank=BANORTE'),
  ];
};
