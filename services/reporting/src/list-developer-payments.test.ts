import '@cobro/testing/check-answers.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { developerPaymentItem } from '@cobro/contracts/developer-payments.ts';
import type { PaymentFacts } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { nothingShown } from '@cobro/testing/nothing-shown.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { about, approved, merchant, paymentFacts, rates } from '@cobro/testing/test-facts.ts';
import { z } from 'zod';
import { startReporting } from './reporting-under-test.ts';

let database: TestDatabase;
let reporting: Awaited<ReturnType<typeof startReporting>>;
beforeAll(async () => {
  database = await testDatabase('reporting');
  reporting = await startReporting(database.url);
});
afterAll(async () => {
  await reporting.close();
  await database.drop();
});

const page = z.strictObject({
  data: z.array(developerPaymentItem),
  pagination: z.strictObject({ limit: z.int(), hasMore: z.boolean(), nextCursor: z.string().nullable() }),
});

const minute = (n: number) => new Date(Date.UTC(2026, 10, 20, 12, n));

async function confirmed(organizationId: string, given: Partial<PaymentFacts> = {}) {
  const facts = paymentFacts({ organizationId, ...given });
  await reporting.receive(about('PaymentConfirmed', { ...facts, confirmedAt: facts.createdAt }));
  return facts;
}

async function held(organizationId: string, given: Partial<PaymentFacts> = {}) {
  const facts = paymentFacts({ organizationId, ...given });
  await reporting.receive(about('HoldPlaced', { ...facts, captureBefore: null, heldAt: facts.createdAt }));
  return facts;
}

async function list(organizationId: string, query: Record<string, string | string[]> = {}) {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) for (const value of [values].flat()) search.append(name, value);
  const { status, body } = await reporting.get(merchant(organizationId), `/developer/v1/payment?${search.toString()}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return page.parse(body);
}

async function idsOf(organizationId: string, query: Record<string, string | string[]>) {
  return (await list(organizationId, query)).data.map((payment) => payment.id);
}

async function refused(organizationId: string, query: string) {
  const { status, body } = await reporting.get(merchant(organizationId), `/developer/v1/payment?${query}`);
  expect(Object.keys(body).toSorted()).toEqual(['code', 'message']);
  return `${status} ${body.code} ${body.message}`;
}

/** Follows nextCursor to the end; `between` runs after each page. */
async function walk(organizationId: string, query: Record<string, string | string[]>, between = async () => {}) {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data, pagination } = await list(organizationId, { ...query, ...(cursor ? { cursor } : {}) });
    expect(pagination.hasMore).toBe(pagination.nextCursor !== null);
    ids.push(...data.map((payment) => payment.id));
    cursor = pagination.nextCursor;
    await between();
  }
  return ids;
}

describe('GET /developer/v1/payment', () => {
  test('shows the documented item, and nothing of other organizations', async () => {
    const organizationId = newId();
    const facts = await held(organizationId, { externalId: 'order-7' });
    await confirmed(newId());
    const transaction = approved('capture-1', '2026-11-20T17:45:00.000Z');
    await reporting.receive(
      about('HoldCaptured', {
        ...facts,
        amount: 40_050n,
        capturedAt: new Date('2026-11-20T17:45:00.000Z'),
        rates,
        transaction,
      }),
    );
    expect(await list(organizationId)).toEqual({
      data: [
        {
          ...nothingShown('list'),
          id: facts.paymentId,
          status: 'CONFIRMED',
          amount: 400.5,
          currency: 'MXN',
          createdAt: '2026-11-20T17:00:00.000Z',
          type: 'CARD_NOT_PRESENT',
          operationCode: Number(facts.operationCode),
          externalId: 'order-7',
          heldAmount: 1000,
          holdExpiresAt: '2026-11-27T05:00:00.000Z',
          card: { lastFourDigits: '4242', network: 'VISA', fundingSource: 'CREDIT', issuingBank: 'BANCO DE PRUEBA' },
          paymentLinkId: null,
          paymentIntentId: null,
          oneTimePaymentId: null,
          paymentMethodId: facts.paymentMethodId,
          subscriptionId: null,
        },
      ],
      pagination: { limit: 20, hasMore: false, nextCursor: null },
    });
  });

  test('an organization without payments gets an empty page', async () => {
    expect(await list(newId())).toEqual({ data: [], pagination: { limit: 20, hasMore: false, nextCursor: null } });
  });

  test('a walk shows every payment once, newest first, the id breaking ties', async () => {
    const organizationId = newId();
    const made: PaymentFacts[] = [];
    for (let i = 0; i < 23; i++) made.push(await confirmed(organizationId, { createdAt: minute(Math.floor(i / 5)) }));
    const expected = made
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.paymentId < b.paymentId ? 1 : -1))
      .map((facts) => facts.paymentId);
    for (const limit of ['1', '7', '22', '23', '100']) expect(await walk(organizationId, { limit })).toEqual(expected);
  });

  test('payments that come during a walk are not part of it, however old they are', async () => {
    const organizationId = newId();
    const before: string[] = [];
    for (let i = 0; i < 9; i++) before.unshift((await confirmed(organizationId, { createdAt: minute(i) })).paymentId);
    const newcomers: Promise<PaymentFacts>[] = [];
    const seen = await walk(organizationId, { limit: '2' }, async () => {
      newcomers.push(confirmed(organizationId, { createdAt: minute(59) }));
      newcomers.push(confirmed(organizationId, { createdAt: minute(0) }));
      await Promise.all(newcomers);
    });
    expect(seen).toEqual(before);
    expect(await walk(organizationId, { limit: '100' })).toHaveLength(9 + newcomers.length);
  });

  test('the page size may change during a walk', async () => {
    const organizationId = newId();
    for (let i = 0; i < 5; i++) await confirmed(organizationId, { createdAt: minute(i) });
    const first = await list(organizationId, { limit: '2' });
    const cursor = first.pagination.nextCursor ?? '';
    const rest = await list(organizationId, { limit: '3', cursor });
    expect(rest.data).toHaveLength(3);
    expect(rest.pagination).toEqual({ limit: 3, hasMore: false, nextCursor: null });
  });
});

describe('a cursor', () => {
  test('opens only the list that it was issued for', async () => {
    const organizationId = newId();
    for (let i = 0; i < 3; i++) await confirmed(organizationId, { createdAt: minute(i) });
    const query = { limit: '1', status: ['HELD', 'CONFIRMED'] };
    const cursor = (await list(organizationId, query)).pagination.nextCursor ?? '';
    const again = `limit=1&status=CONFIRMED&status=HELD&status=HELD&cursor=${cursor}`;
    expect(await reporting.get(merchant(organizationId), `/developer/v1/payment?${again}`)).toMatchObject({
      status: 200,
    });

    const no = '400 INVALID_CURSOR cursor: was not issued for this list.';
    expect(await refused(newId(), `limit=1&status=HELD&status=CONFIRMED&cursor=${cursor}`)).toBe(no);
    expect(await refused(organizationId, `limit=1&cursor=${cursor}`)).toBe(no);
    expect(await refused(organizationId, `limit=1&status=CONFIRMED&cursor=${cursor}`)).toBe(no);
    expect(
      await refused(organizationId, `limit=1&status=HELD&status=CONFIRMED&type=CARD_PRESENT&cursor=${cursor}`),
    ).toBe(no);
    expect(await refused(organizationId, `limit=1&cursor=${newId()}`)).toBe(no);
    expect(await refused(organizationId, 'limit=1&cursor=')).toBe(no);
    const stale = `subscriptionId=${newId()}&cursor=${cursor}`;
    expect(await refused(organizationId, stale)).toBe(no);
  });
});

describe('the filters', () => {
  const organizationId = newId();
  let charge: PaymentFacts;
  let hold: PaymentFacts;
  let tap: PaymentFacts;
  beforeAll(async () => {
    charge = await confirmed(organizationId, { createdAt: new Date('2026-11-20T05:59:59.999Z') });
    hold = await held(organizationId, { createdAt: new Date('2026-11-20T06:00:00.000Z') });
    const origin = { source: 'PAYMENT_INTENT', paymentIntentId: newId(), paymentMethodId: null } as const;
    const createdAt = new Date('2026-11-21T05:59:59.999Z');
    tap = await confirmed(organizationId, { ...origin, type: 'CARD_PRESENT', createdAt });
  });

  test('status may be repeated', async () => {
    expect(await idsOf(organizationId, { status: 'HELD' })).toEqual([hold.paymentId]);
    expect(await idsOf(organizationId, { status: ['HELD', 'CONFIRMED'] })).toHaveLength(3);
    expect(await idsOf(organizationId, { status: 'REFUNDED' })).toEqual([]);
  });

  test('type, operation code and the ids of origin', async () => {
    expect(await idsOf(organizationId, { type: 'CARD_PRESENT' })).toEqual([tap.paymentId]);
    expect(await idsOf(organizationId, { operationCode: String(hold.operationCode) })).toEqual([hold.paymentId]);
    expect(await idsOf(organizationId, { paymentMethodId: charge.paymentMethodId ?? '' })).toEqual([charge.paymentId]);
    expect(await idsOf(organizationId, { paymentIntentId: tap.paymentIntentId ?? '' })).toEqual([tap.paymentId]);
    expect(await idsOf(organizationId, { oneTimePaymentId: newId() })).toEqual([]);
    expect(await idsOf(organizationId, { paymentLinkId: newId() })).toEqual([]);
    expect(await idsOf(organizationId, { subscriptionId: newId() })).toEqual([]);
  });

  test('a date is the whole day in Mexico City', async () => {
    const day = { createdAtFrom: '2026-11-20', createdAtTo: '2026-11-20' };
    expect(await idsOf(organizationId, day)).toEqual([tap.paymentId, hold.paymentId]);
    expect(await idsOf(organizationId, { createdAtTo: '2026-11-19' })).toEqual([charge.paymentId]);
  });

  test('a date-time is inclusive on both ends', async () => {
    const instant = { createdAtFrom: '2026-11-20T00:00:00-06:00', createdAtTo: '2026-11-20T06:00:00.000Z' };
    expect(await idsOf(organizationId, instant)).toEqual([hold.paymentId]);
    const between = { createdAtFrom: '2026-11-20T05:59:59.9990001Z', createdAtTo: '2026-11-20T06:00:00Z' };
    expect(await idsOf(organizationId, between)).toEqual([hold.paymentId]);
  });

  test.each([
    ['limit=101', 'limit: must be from 1 to 100.'],
    ['limit=0', 'limit: must be from 1 to 100.'],
    ['limit=ten', 'limit: must be a whole number.'],
    ['pageSize=5', 'pageSize: is not a known field.'],
    ['Status=HELD', 'Status: is not a known field.'],
    ['type=CARD', 'type: must be one of CARD_PRESENT, CARD_NOT_PRESENT.'],
    ['type=CARD_PRESENT&type=CARD_NOT_PRESENT', 'type: must be one of CARD_PRESENT, CARD_NOT_PRESENT.'],
    ['operationCode=12a', 'operationCode: must be a whole number.'],
    ['paymentMethodId=7', 'paymentMethodId: must be a UUID.'],
    [
      'createdAtFrom=2026-02-30',
      'createdAtFrom: must be a date (YYYY-MM-DD) or a date-time with offset (a + is written %2B).',
    ],
    [
      'createdAtTo=2026-11-20T10:00:00',
      'createdAtTo: must be a date (YYYY-MM-DD) or a date-time with offset (a + is written %2B).',
    ],
  ])('%s is refused', async (query, message) => {
    expect(await refused(organizationId, query)).toBe(`400 VALIDATION_ERROR ${message}`);
  });

  test('a payment without an outcome is not a status to ask for', async () => {
    expect(await refused(organizationId, 'status=PENDING&status=HELD')).toMatch(/^400 VALIDATION_ERROR status/);
  });
});
