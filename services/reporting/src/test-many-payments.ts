import { newId } from '@cobro/contracts/ids.ts';
import { type Queries, type Sql, sql } from '@cobro/postgres/database.ts';

/** For tests: the columns that filters read. */
export interface Raw {
  id: string;
  organizationId: string;
  status: string;
  type: string;
  terms: number;
  issuingBank: string;
  createdAt: Date;
  operationCode: bigint;
  amount: bigint;
  paymentMethodId: string | null;
  oneTimePaymentId: string | null;
  subscriptionId: string | null;
}

/** Few enough for one statement to end in time on a busy machine. */
const AT_ONCE = 1_000;

interface ManyPayments {
  count: number;
  firstCode?: number;
  /** When payment number `n` was made, its card's bank and its amount, instead of the defaults below. */
  made?: Sql;
  issuingBank?: Sql;
  amount?: Sql;
  /** Every payer's. */
  email?: string;
}

const elevenADay = sql`timestamptz '2026-01-01T05:00:00Z' + n / 11 * interval '1 day' + n % 5 * interval '3 hours'`;
const fewOfEach = sql`1000 + n * 37 % 400 * 25`;
const banks = (count: number) => sql`
  case when n % (${count}::int / 3) = 5 then 'RARE BANK' when n < 40 then 'OLD BANK' when n % 3 = 0 then 'BBVA' else 'BANORTE' end`;

/**
 * For tests: writes `count` payments of these organizations from January 2026 on, eleven a day, every seventh operation code. Some are
 * rare: one bank has three payments, another only the oldest, and no card was present.
 */
export async function insertManyPayments(
  queries: Queries,
  organizations: string[],
  {
    count,
    firstCode = 100_000,
    made = elevenADay,
    issuingBank = banks(count),
    amount = fewOfEach,
    email,
  }: ManyPayments,
): Promise<void> {
  const cards = Array.from({ length: 7 }, newId);
  const subscription = newId();
  for (let first = 0; first < count; first += AT_ONCE) {
    await queries.run(sql`
    insert into payment (
      id, organization_id, created_at, listed_at, type, source, operation_code, currency, placed_amount, terms,
      last_four_digits, network, funding_source, issuing_bank, payment_method_id, one_time_payment_id, subscription_id, transaction,
      confirmed_at, declined_at, held_at, hold_expires_at, released_at, expired_at, refunded_at, billing
    )
    select gen_random_uuid(), (${organizations}::uuid[])[1 + n % ${organizations.length}::int], made, made, 'CARD_NOT_PRESENT',
      'SAVED_CARD', ${firstCode}::bigint + n * 7, 'MXN', ${amount}, (array[1, 1, 1, 3, 6])[1 + n / 3 % 5], '4242', 'VISA',
      'CREDIT', ${issuingBank},
      (${cards}::uuid[])[1 + n % 7], case when n % 9 = 0 then gen_random_uuid() end,
      case when n % 50 = 7 then ${subscription}::uuid end,
      jsonb_build_object('bankReference', 'r', 'authCode', null, 'resultCode', '00', 'rawResponseText', 'APROBADA',
        'authResult', 'APPROVED', 'createdAt', '2026-01-01T00:00:00.000Z'),
      case when life < 12 then made end, case when life between 12 and 14 then made end,
      case when life > 14 then made end, case when life > 14 then made + interval '6 days' end,
      case when life = 17 then made end, case when life = 18 then made end, case when life < 2 then made end,
      ${email === undefined ? null : JSON.stringify({ email })}::jsonb
    from (
      select n, n * 13 % 20 as life, ${made} as made
      from generate_series(${first}::int, ${Math.min(first + AT_ONCE, count) - 1}::int) as n
    ) as numbered`);
  }
}

export const readRaw = (queries: Queries): Promise<Raw[]> =>
  queries.many<Raw>(sql`
    select id, organization_id as "organizationId", status, type, terms, issuing_bank as "issuingBank",
      created_at as "createdAt", operation_code as "operationCode", amount, payment_method_id as "paymentMethodId",
      one_time_payment_id as "oneTimePaymentId", subscription_id as "subscriptionId"
    from payment where status is not null`);

/** Newest first, as lists are. */
export const newestFirst = (rows: Raw[]): Raw[] =>
  rows.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (b.id < a.id ? -1 : 1));
