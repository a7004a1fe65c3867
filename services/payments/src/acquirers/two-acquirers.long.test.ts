import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import type { BankOperation } from '@cobro/testing/bank-operations.ts';
import { listening } from '@cobro/testing/listening.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { testHolds, type TestHolds } from '@cobro/testing/test-holds.ts';
import { testIntents, type TestIntents } from '@cobro/testing/test-intents.ts';
import { type TestLinks, testLinks } from '@cobro/testing/test-links.ts';
import { startTwoAcquirers, type TwoAcquirers } from '@cobro/testing/two-acquirers.ts';
import { until } from '@cobro/testing/until.ts';

const CALL_TIMEOUT_MS = 4_000;

/** An acquirer that records requests and forwards them to another one. */
const recorded: { path: string; body: Record<string, unknown> }[] = [];
const recorder = listening(
  createServer((req, res) => {
    const forward = async () => {
      const [path, body] = [req.url ?? '', await text(req)];
      if (body !== '') recorded.push({ path, body: JSON.parse(body) as Record<string, unknown> });
      const headers = { 'content-type': 'application/json', 'idempotency-key': String(req.headers['idempotency-key']) };
      const sent = { method: req.method ?? 'GET', headers, ...(body !== '' && { body }) };
      const answer = await fetch(two.other.url + path, sent);
      res.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    };
    forward().catch(() => res.destroy());
  }),
);

let two: TwoAcquirers;
/** Merchants whose cards go to the other acquirer, and one that stays. */
let moved: TestHolds;
let staying: TestHolds;
let links: TestLinks;
let intents: TestIntents;

beforeAll(async () => {
  two = await startTwoAcquirers(['payments', 'holds', 'intents', 'reporting'], {
    env: { BANK_CALL_TIMEOUT_MS: String(CALL_TIMEOUT_MS) },
    others: { recorded: (await recorder).url },
  });
  const { services } = two;
  [moved, staying, links, intents] = await Promise.all([
    testHolds(services),
    testHolds(services),
    testLinks(services),
    testIntents(services),
  ]);
});
afterAll(async () => {
  await two?.stop();
  await (await recorder).close();
});

const kinds = (operations: BankOperation[]) => operations.map(({ kind }) => kind);
/** What each acquirer got while `work` ran. */
async function asked(work: () => Promise<unknown>): Promise<{ default: string[]; other: string[] }> {
  const { services, other } = two;
  const before = await Promise.all([services.bank.operations(), other.operations()]);
  await work();
  const after = await Promise.all([services.bank.operations(), other.operations()]);
  const [first, second] = after.map((operations, i) => kinds(operations.slice(before[i]?.length)));
  return { default: first ?? [], other: second ?? [] };
}

describe('an organization that has moved', () => {
  let old: Payment;
  let oldHold: Payment;
  let newCard: string;

  test('saves its new cards at the other acquirer and charges them there', async () => {
    old = (await moved.merchant.charge(moved.cardId, { amount: 80 })).body as Payment;
    oldHold = await moved.place();
    await two.use(moved.merchant.organizationId, 'other');
    const got = await asked(async () => {
      newCard = (await moved.merchant.saveCard()).id;
      expect(await moved.merchant.charge(newCard)).toMatchObject({ status: 201, body: { status: 'CONFIRMED' } });
      const hold = await moved.place({}, newCard);
      expect(await moved.capture(hold, { amount: 40 })).toMatchObject({ status: 200 });
      expect(await moved.refund(hold)).toMatchObject({ status: 200 });
      expect(await moved.release(await moved.place({}, newCard))).toMatchObject({ status: 200 });
    });
    expect(got).toEqual({
      default: [],
      other: ['tokenize', 'sale', 'authorize', 'capture', 'refund', 'authorize', 'void'],
    });
  });

  test('charges, captures and refunds at the first what began there', async () => {
    const got = await asked(async () => {
      expect(await moved.refund(old)).toMatchObject({ status: 200, body: { status: 'REFUNDED' } });
      expect(await moved.capture(oldHold)).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
      expect(await moved.merchant.charge(moved.cardId)).toMatchObject({ status: 201 });
    });
    expect(got).toEqual({ default: ['refund', 'capture', 'sale'], other: [] });
  });

  test('asks the acquirer of the operation what became of it, and no other, also where the organization moves on meanwhile', async () => {
    const silent = (await moved.merchant.saveCard(testCards.silentDone)).id;
    await two.other.setFaults(unansweredInquiries);
    const charge = await moved.merchant.charge(silent, { amount: 5 });
    expect(charge).toMatchObject({ status: 202, body: { status: 'PENDING' } });
    await two.use(moved.merchant.organizationId, 'default');
    // The other acquirer would say that it has never seen the operation, and close its key.
    const { id } = charge.body as Payment;
    const status = async () => (await moved.merchant.call({ path: `/payment-method/${silent}/payment/${id}` })).body;
    const inquiries = sql`select inquiries from bank_operation where subject_id = ${id}`;
    await until('it is asked about', async () => {
      return (await two.services.db('payments').one<{ inquiries: number }>(inquiries)).inquiries > 1;
    });
    expect(await status()).toMatchObject({ status: 'PENDING' });
    await two.other.setFaults({});
    await until('the outcome is known', async () => ((await status()) as Payment).status === 'CONFIRMED');
    const path = `/payment-method/${silent}/payment/${id}/refund`;
    const got = await asked(() => moved.merchant.call({ method: 'POST', path, body: {} }));
    expect(got).toEqual({ default: [], other: ['refund'] });
    await two.use(moved.merchant.organizationId, 'other');
  });

  test('has its links and taps paid there', async () => {
    await two.use(links.merchant.organizationId, 'other');
    await two.use(intents.merchant.organizationId, 'other');
    const link = await links.create();
    const { terminal, intent } = await intents.ready();
    const got = await asked(async () => {
      expect(await links.pay(link)).toMatchObject({ status: 201 });
      expect(await terminal.pay(intent)).toMatchObject({ status: 201 });
    });
    expect(got).toEqual({ default: [], other: ['tokenize', 'sale', 'tokenize', 'sale'] });
    await two.use(links.merchant.organizationId, 'default');
    await two.use(intents.merchant.organizationId, 'default');
    const refunded = await asked(async () => {
      expect(await links.refund(link)).toMatchObject({ status: 200 });
      expect(await intents.refund(intent)).toMatchObject({ status: 200 });
    });
    expect(refunded).toEqual({ default: [], other: ['refund', 'refund'] });
  });
});

test('intents that knows one acquirer only, as in a roll-out that is half done, sends no card to it that is to go to another', async () => {
  await two.use(intents.merchant.organizationId, 'other');
  await two.services.kill('intents');
  await two.services.restart('intents', 0, { ACQUIRERS: undefined });
  const { terminal, intent } = await intents.ready();
  const got = await asked(async () => {
    expect(await terminal.pay(intent)).toMatchObject(refusal(503, 'BANK_UNAVAILABLE'));
  });
  expect(got).toEqual({ default: [], other: [] });
  await two.services.kill('intents');
  await two.services.restart('intents');
  expect(await terminal.pay(intent)).toMatchObject({ status: 201 });
});

describe('an acquirer that cannot be reached', () => {
  test('refuses what is to go to it, and takes nothing of the other', async () => {
    const card = (await moved.merchant.saveCard()).id;
    const hold = await moved.place({}, card);
    await two.other.kill();
    try {
      const unavailable = refusal(503, 'BANK_UNAVAILABLE');
      expect(await moved.merchant.charge(card)).toMatchObject(unavailable);
      expect(await moved.capture(hold)).toMatchObject(unavailable);
      const saving = {
        card: { number: testCards.approved, expirationMonth: 12, expirationYear: 2032, cvc: '123', holderName: 'Ana' },
      };
      expect(await moved.merchant.call({ method: 'POST', path: '/payment-method', body: saving })).toMatchObject(
        unavailable,
      );
      expect(await staying.merchant.charge(staying.cardId)).toMatchObject({ status: 201 });
      expect(await moved.merchant.charge(moved.cardId)).toMatchObject({ status: 201 });
      expect(await staying.capture(await staying.place())).toMatchObject({ status: 200 });
      // A process that stands still for half a second is not ready.
      const ready = await patiently(() => two.services.call('payments', { path: '/health/ready' }));
      expect(ready).toMatchObject({ status: 200, body: { degraded: ['bank_away'] } });
    } finally {
      await two.other.start();
    }
    await until('it is back', async () => (await moved.capture(hold)).status === 200);
  });

  test('that the deployment has left out of its list is not replaced by another', async () => {
    const card = (await moved.merchant.saveCard()).id;
    const db = two.services.db('payments');
    await db.run(sql`update payment_method set acquirer = 'gone' where id = ${card}`);
    const got = await asked(async () => {
      expect(await moved.merchant.charge(card)).toMatchObject(refusal(503, 'BANK_UNAVAILABLE'));
    });
    expect(got).toEqual({ default: [], other: [] });
    await db.run(sql`update payment_method set acquirer = 'other' where id = ${card}`);
  });
});

test('a hold that has ended is let go at its own acquirer', async () => {
  const [there, here] = [await moved.place({}, (await moved.merchant.saveCard()).id), await moved.place()];
  const got = await asked(async () => {
    await two.services.db('holds').run(sql`
      update hold set expires_at = now() - interval '1 hour' where payment_id = any(${[there.id, here.id]}::uuid[])`);
    for (const hold of [there, here]) {
      await until('it is expired', async () => (await moved.read(hold)).status === 'HOLD_EXPIRED');
    }
  });
  expect(got).toEqual({ default: ['void'], other: ['void'] });
});

test('rows of release 0.1.0, which name no acquirer, belong to the one at BANK_URL', async () => {
  for (const [service, table] of [
    ['payments', 'payment'],
    ['payments', 'payment_method'],
    ['payments', 'bank_operation'],
    ['holds', 'hold'],
    ['holds', 'bank_operation'],
    ['reporting', 'payment'],
  ] as const) {
    const column = await two.services.db(service).one<object>(sql`
      select column_default, is_nullable from information_schema.columns
      where table_schema = ${service} and table_name = ${table} and column_name = 'acquirer'`);
    expect({ table, ...column }).toEqual({ table, column_default: "'default'::text", is_nullable: 'NO' });
  }
});

test('both books agree with ours, operation by operation', async () => {
  await expect(untilAgreed(two.books)).resolves.toBeUndefined();
});

test('an acquirer is told for whom a charge is, who initiates it, and how long a token is good', async () => {
  for (const { merchant } of [moved, links, intents]) await two.use(merchant.organizationId, 'recorded');
  recorded.length = 0;
  const card = (await moved.merchant.saveCard()).id;
  await moved.merchant.charge(card);
  const plan = { paymentMethodId: card, amount: 349, periodicity: 'MONTHLY' };
  await moved.merchant.call({ method: 'POST', path: '/subscription', body: plan });
  await moved.place({}, card);
  await links.pay(await links.create());
  const { terminal, intent } = await intents.ready();
  expect(await terminal.pay(intent)).toMatchObject({ status: 201 });
  const told = recorded.map(({ path, body: { use, initiatedBy, recurring, merchant } }) => [
    path,
    use ?? (recurring === true ? `${String(initiatedBy)}, recurring` : initiatedBy),
    (merchant as { id: string } | undefined)?.id,
  ]);
  expect(told).toEqual([
    ['/v1/tokens', 'saved', undefined],
    ['/v1/sales', 'merchant', moved.merchant.organizationId],
    ['/v1/sales', 'merchant, recurring', moved.merchant.organizationId],
    ['/v1/authorizations', 'merchant', moved.merchant.organizationId],
    ['/v1/tokens', 'once', undefined],
    ['/v1/sales', 'customer', links.merchant.organizationId],
    ['/v1/tokens', 'once', undefined],
    ['/v1/sales', 'customer', intents.merchant.organizationId],
  ]);
});
