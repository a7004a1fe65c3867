import { beforeAll, expect } from '@jest/globals';
import { disburse, type FeeRates } from '@cobro/domain/fees.ts';
import { holdExpiresAt } from '@cobro/domain/hold-window.ts';
import { sql } from '@cobro/postgres/database.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { describeInFull, testInFull } from '@cobro/testing/test-in-full.ts';
import { until } from '@cobro/testing/until.ts';
import { seedHistory } from '../../dev/seed/seed-history.ts';
import { rebuild } from './rebuild.story.ts';
import { stackUnderTest } from './stack-under-test.ts';

const tested = stackUnderTest({ hasOtherBank: true });
const { stack, db, merchant, partner, agreed } = tested;

const PAYMENTS = 20_000;

beforeAll(async () => {
  await seedHistory(seeded(), PAYMENTS, () => {});
});

const seeded = () => {
  const { baseUrl, bankUrl, otherBanks, databaseUrl, merchants } = stack();
  return { baseUrl, bankUrl, otherBanks, databaseUrl, apiKey: merchants.apiKey };
};

testInFull('both acquirers, payments, holds and reporting agree on every seeded payment', async () => {
  await expect(agreed()).resolves.toBeUndefined();
});

testInFull('a part of the history is another acquirer’s, also of the giant, which has moved', async () => {
  const { organizationId } = stack().merchants;
  for (const only of [sql`organization_id = ${organizationId}`, sql`organization_id <> ${organizationId}`]) {
    const rows = await db('payments').many<{ acquirer: string; share: number }>(sql`
      select acquirer, (count(*) / sum(count(*)) over ())::float8 as share from payment where ${only} group by acquirer order by acquirer`);
    expect(rows.map(({ acquirer }) => acquirer)).toEqual(['default', 'other']);
    for (const { share } of rows) expect(share).toBeGreaterThan(0.05);
  }
});

testInFull('the giant has two fifths of the payments, of every status but PENDING, over three years', async () => {
  const { organizationId } = stack().merchants;
  const rows = await db('payments').many<{ status: string; payments: number; oldest: Date }>(sql`
    select status, count(*)::int as payments, min(created_at) as oldest from payment
    where organization_id = ${organizationId} group by status`);
  expect(rows.map(({ status }) => status).toSorted()).toEqual(
    ['CANCELLED', 'CONFIRMED', 'HELD', 'HOLD_EXPIRED', 'HOLD_RELEASED', 'REFUNDED'].filter((status) =>
      rows.some((row) => row.status === status),
    ),
  );
  const share = rows.reduce((sum, { payments }) => sum + payments, 0) / PAYMENTS;
  expect(share).toBeGreaterThan(0.3);
  expect(share).toBeLessThan(0.5);
  const years = (Date.now() - Math.min(...rows.map(({ oldest }) => oldest.getTime()))) / (365 * 86_400_000);
  expect(years).toBeGreaterThan(2.5);
});

testInFull.each([
  // Every status except SOLD_OUT.
  ['payment-link', ['ACTIVE', 'INACTIVE', 'EXPIRED']],
  ['subscription', ['ACTIVE', 'PAUSED', 'CANCELLED', 'COMPLETED']],
])('the giant has a %s of each status, which its lists show', async (path, statuses) => {
  for (const status of statuses) {
    const { body } = await merchant().send('GET', `/${path}?status=${status}`);
    const { count, items } = body as unknown as { count: number; items: { status: string }[] };
    expect([status, count > 0]).toEqual([status, true]);
    expect(new Set(items.map((item) => item.status))).toEqual(new Set([status]));
  }
});

testInFull('the giant has promotions of every status, which its lists show', async () => {
  const counts: Record<string, number> = {};
  for (const status of ['PENDING', 'SCHEDULED', 'ACTIVE', 'ENDED']) {
    const { body } = await merchant().send('GET', `/promotion?status=${status}`);
    counts[status] = (body as unknown as { count: number }).count;
  }
  expect(counts).toEqual({ PENDING: 2, SCHEDULED: 2, ACTIVE: 2, ENDED: 20 });
});

testInFull('the giant has products on sale and archived, counted and not, which its lists show', async () => {
  const { body: list } = await merchant().send('GET', '/product?status=ARCHIVED');
  expect((list as { count: number }).count).toBeGreaterThan(1);
  const all: { id: string; stock: number | null }[] = [];
  for (let cursor = ''; ;) {
    const { body } = await merchant().send('GET', `/developer/v1/product?limit=100${cursor}`);
    const { data, pagination } = body as { data: typeof all; pagination: { nextCursor: string | null } };
    all.push(...data);
    if (pagination.nextCursor === null) break;
    cursor = `&cursor=${pagination.nextCursor}`;
  }
  const { body: whole } = await merchant().send('GET', '/product?pageSize=1');
  expect(new Set(all.map(({ id }) => id)).size).toBe((whole as { count: number }).count);
  expect(new Set(all.map(({ stock }) => stock === null)).size).toBe(2);
});

testInFull('operation codes are taken in a row, and go on behind it', async () => {
  const codes = await db('payments').one(sql`
    select min(operation_code) as first, max(operation_code) - min(operation_code) + 1 as taken, count(*)::int as payments,
      nextval('operation_code') - max(operation_code) as further from payment`);
  expect(codes).toEqual({ first: 100_001n, taken: BigInt(PAYMENTS), payments: PAYMENTS, further: 1n });
});

testInFull('disbursements, hold windows and tallies are those that the services would have made', async () => {
  const rows = await db('reporting').many<{
    moved: bigint;
    rates: FeeRates;
    disbursement: Record<string, number>;
    heldAt: Date | null;
    holdExpiresAt: Date | null;
  }>(sql`
    select amount as moved, rates, disbursement, held_at as "heldAt", hold_expires_at as "holdExpiresAt" from payment
    where disbursement is not null`);
  for (const { moved, rates, disbursement, heldAt, holdExpiresAt: expires } of rows) {
    const right = Object.fromEntries(
      Object.entries(disburse(moved, rates)).map(([name, value]) => [name, Number(value)]),
    );
    expect(disbursement).toEqual(right);
    expect(expires).toEqual(heldAt && holdExpiresAt(heldAt));
  }
  const wrong = await db('reporting').many(sql`
    select kind, sum(payments)::int as payments from (
      select (organization_id, (created_at at time zone interval '-06:00')::date, status, type, terms, issuing_bank)::text as kind, 1 as payments
      from payment where status is not null
      union all
      select (organization_id, starts, status, type, terms, issuing_bank)::text, -payments from payment_tally where span = 'day'
      union all
      select (organization_id, day, status, type, terms, issuing_bank)::text, -change from payment_change
    ) as counted group by kind having sum(payments) <> 0`);
  expect(wrong).toEqual([]);
  const tallies = await db('reporting').many(sql`
    select span, sum(payments)::int as payments from payment_tally group by span order by span`);
  const changes = await db('reporting').one<{ change: number }>(sql`
    select coalesce(sum(change), 0)::int as change from payment_change`);
  const payments = PAYMENTS - changes.change;
  expect(tallies).toEqual(['day', 'month'].map((span) => ({ span, payments })));
  const missing = await db('reporting').many(sql`
    select organization_id, moment, day, status, decline_code from (
      select organization_id, moment, day, status, decline_code, 1 as payments, amount, fee, take from payment_day
      union all
      select organization_id, moment, day, status, decline_code, -payments, -amount, -fee, -take from day_total
    ) as known group by 1, 2, 3, 4, 5 having (sum(payments), sum(amount), sum(fee), sum(take)) <> (0, 0, 0, 0)`);
  expect(missing).toEqual([]);
});

testInFull(
  'what was seeded lives on: a charge is refunded, new payments get codes behind the seeded ones, the partner counts all',
  async () => {
    const { organizationId } = stack().merchants;
    const charge = await db('payments').one<{ id: string; card: string; code: number }>(sql`
    select id, payment_method_id as card, (select max(operation_code) from payment) as code from payment
    where organization_id = ${organizationId} and status = 'CONFIRMED' and payment_method_id is not null
    order by created_at limit 1`);
    const refund = await merchant().refund(charge.card, charge.id);
    expect(refund).toMatchObject({ status: 200, body: { status: 'REFUNDED' } });
    const made = await merchant().charge(charge.card);
    expect(made).toMatchObject({ status: 201 });
    const stored = await db('payments').one<{ code: number }>(sql`
    select operation_code as code from payment where id = ${made.body.id}`);
    expect(stored.code).toBeGreaterThan(charge.code);
    const { body } = await partner().send('GET', '/developer/payment?limit=1');
    expect((body as { pagination: { count: number } }).pagination.count).toBeGreaterThan(PAYMENTS / 3);
    await expect(agreed()).resolves.toBeUndefined();
  },
);

testInFull('cards were presented at terminals too, and such a payment is refunded by its intent', async () => {
  const { organizationId } = stack().merchants;
  const intents = await db('intents').many<{
    id: string;
    paymentId: string;
    paymentStatus: string;
  }>(sql`
    select id, payment_id as "paymentId", payment_status as "paymentStatus" from payment_intent
    where organization_id = ${organizationId}`);
  expect(intents.length).toBeGreaterThan(PAYMENTS / 50);
  const paid = intents.find(({ paymentStatus }) => paymentStatus === 'CONFIRMED');
  if (paid === undefined) throw new Error('no tapped card was charged');
  const facts = await db('reporting').one(sql`
    select payment.type, payment.source, payment.payment_intent_id as intent, terminal.serial_number is not null as "hasTerminal",
      payment.entry_mode is not null as "hasEntryMode", payment.billing
    from payment left join terminal on terminal.id = payment.terminal_id where payment.id = ${paid.paymentId}`);
  expect(facts).toEqual({
    type: 'CARD_PRESENT',
    source: 'PAYMENT_INTENT',
    intent: paid.id,
    hasTerminal: true,
    hasEntryMode: true,
    billing: null,
  });
  const read = await merchant().send('GET', `/payment-intent/${paid.id}`);
  expect(read).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
  const refund = await merchant().send('POST', `/payment-intent/${paid.id}/refund`);
  expect(refund).toMatchObject({ status: 200, body: { status: 'REFUNDED' } });
  await expect(agreed()).resolves.toBeUndefined();
});

testInFull('holds of today all close at the same 23:00, and the bank knows of each', async () => {
  const HOLDS = 60;
  const before = await held();
  await seedHistory(seeded(), HOLDS, () => {}, 'holds');
  const after = await held();
  expect(after.holds - before.holds).toBe(HOLDS);
  expect(after.latest).toEqual(holdExpiresAt(after.newest));
  await expect(agreed()).resolves.toBeUndefined();
});

testInFull('what an outage has left without an answer ends as the bank says', async () => {
  const UNANSWERED = 60;
  const { bankUrl, otherBanks } = stack();
  const setAll = (faults: object) =>
    Promise.all([bankUrl, ...Object.values(otherBanks)].map((url) => setFaults(url, faults)));
  await setAll(unansweredInquiries);
  await seedHistory(seeded(), UNANSWERED, () => {}, 'unanswered');
  const open = await db('payments').many<{ subjectId: string }>(sql`
    select subject_id as "subjectId" from bank_operation where status = 'open'`);
  expect(open).toHaveLength(UNANSWERED);
  // By then a failed inquiry puts the next one off by 64 s.
  const inVain = sql`
    select count(*)::int as n from bank_operation
    where status = 'open' and inquiries > 6 and inquire_at > clock_timestamp() + interval '30 seconds'`;
  await until('the bank was asked in vain', async () => (await db('payments').one<{ n: number }>(inVain)).n > 0);
  await setAll({});
  await expect(agreed()).resolves.toBeUndefined();
  const ended = await db('payments').many<{ status: string }>(sql`
    select status from payment where id = any(${open.map(({ subjectId }) => subjectId)})`);
  const statuses = new Set(ended.map(({ status }) => status));
  expect(statuses).toContain('CONFIRMED');
  expect([...statuses].filter((status) => !['CONFIRMED', 'HELD', 'CANCELLED'].includes(status))).toEqual([]);
});

const held = () =>
  db('holds').one<{ holds: number; newest: Date; latest: Date }>(sql`
    select count(*)::int as holds, max(held_at) as newest, max(expires_at) as latest from hold where status = 'HELD'`);

describeInFull('making the tables of reporting anew', () => {
  rebuild(tested);
});
