import { setTimeout as sleep } from 'node:timers/promises';
import '@cobro/testing/check-answers.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { PaymentFacts } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { disbursementExplained, type ReportedPayment } from '@cobro/contracts/reports.ts';
import type { SettledDay } from '@cobro/contracts/settlements.ts';
import { sql } from '@cobro/postgres/database.ts';
import { parseCsv } from '@cobro/testing/parse-csv.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { about, merchant, rates } from '@cobro/testing/test-facts.ts';
import { insertManyPayments } from './test-many-payments.ts';
import { reportingOfMerchants, startReporting } from './reporting-under-test.ts';

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

const { ask, refused, confirmed, declined, held } = reportingOfMerchants(() => reporting);
const at = (time: string) => ({ createdAt: new Date(time) });
async function idsOf(organizationId: string, query: string): Promise<string[]> {
  const { data } = (await ask(organizationId, `/report/payment?${query}`)) as { data: ReportedPayment[] };
  return data.map(({ id }) => id);
}

describe('GET /report/payment', () => {
  test('filters by what a merchant knows of a payment', async () => {
    const organizationId = newId();
    const billing = {
      email: 'Ana@Example.com',
      firstName: 'Ana',
      lastName: 'Torres',
      phoneNumber: null,
      address: null,
    };
    const card = {
      lastFourDigits: '0341',
      network: 'VISA',
      fundingSource: 'CREDIT',
      issuingBank: 'BBVA',
      entryMode: null,
    };
    const one = await confirmed({
      organizationId,
      amount: 12_345n,
      terms: 3,
      source: 'ONE_TIME_PAYMENT',
      externalId: 'order-77',
      billing,
      card,
    });
    const two = await declined({ organizationId, amount: 50_000n }, 'expired_card');
    const theirs = await confirmed({ externalId: 'order-77', billing });
    const only: [string, string][] = [
      ['source=ONE_TIME_PAYMENT', one.paymentId],
      ['source=SAVED_CARD', two.paymentId],
      ['amountFrom=123.45&amountTo=123.45', one.paymentId],
      ['amountFrom=123.46', two.paymentId],
      ['issuingBank=BBVA', one.paymentId],
      ['terms=3', one.paymentId],
      ['lastFourDigits=0341', one.paymentId],
      ['externalId=order-77', one.paymentId],
      ['email=ANA@example.com', one.paymentId],
      [`operationCode=${two.operationCode}`, two.paymentId],
      ['status=CANCELLED', two.paymentId],
    ];
    for (const [query, id] of only)
      expect({ query, ids: await idsOf(organizationId, query) }).toEqual({ query, ids: [id] });
    expect(await idsOf(organizationId, '')).toHaveLength(2);
    expect(await idsOf(organizationId, 'externalId=order-77&source=SAVED_CARD')).toEqual([]);
    expect(await idsOf(organizationId, `operationCode=${theirs.operationCode}`)).toEqual([]);
    const { data } = (await ask(organizationId, '/report/payment?terms=3')) as { data: ReportedPayment[] };
    expect(data[0]).toMatchObject({
      source: 'ONE_TIME_PAYMENT',
      terms: 3,
      customer: { email: 'Ana@Example.com', firstName: 'Ana' },
      fee: 3.09,
      feeIva: 0.49,
      promotionTake: 2.47,
      take: 117.4,
      declineCode: null,
    });
  });

  test('is walked by cursor, which belongs to its filters', async () => {
    const organizationId = newId();
    for (let i = 0; i < 5; i++) await confirmed({ organizationId, ...at(`2026-11-20T10:0${i}:00.000Z`) });
    const query = 'limit=2&amountFrom=1';
    const pageAt = async (cursor: string | null) =>
      (await ask(organizationId, `/report/payment?${query}${cursor === null ? '' : `&cursor=${cursor}`}`)) as {
        data: ReportedPayment[];
        pagination: { nextCursor: string | null };
      };
    const first = await pageAt(null);
    const { nextCursor } = first.pagination;
    const second = await pageAt(nextCursor);
    const third = await pageAt(second.pagination.nextCursor);
    expect(third.pagination.nextCursor).toBeNull();
    const walked = [first, second, third].flatMap(({ data }) => data.map(({ id }) => id));
    expect(new Set(walked).size).toBe(5);
    for (const path of [`/report/payment?limit=2&amountFrom=2&cursor=${nextCursor}`, '/report/payment?cursor=x']) {
      expect(await refused(organizationId, path)).toMatch('INVALID_CURSOR');
    }
    expect(await refused(newId(), `/report/payment?${query}&cursor=${nextCursor}`)).toMatch('INVALID_CURSOR');
  });

  test.each([
    'source=CASH',
    'amountFrom=-1',
    'amountTo=1.234',
    'terms=x',
    'lastFourDigits=42',
    'lastFourDigits=4242424242424242',
    'externalId=4242424242424242',
    'email=4242424242424242',
    'search=x',
  ])('refuses %s, and repeats no card number', async (query) => {
    const said = await refused(newId(), `/report/payment?${query}`);
    expect(said).toMatch('400 VALIDATION_ERROR');
    expect(said).not.toMatch('4242424242424242');
  });
});

describe('GET /report/payment.csv', () => {
  test('reads no further than its reader, and gives all of a long list in its order', async () => {
    const organizationId = newId();
    const [rows, pageSize] = [40_000, 200];
    await insertManyPayments(reporting.db, [organizationId], {
      count: rows,
      firstCode: 20_000_000,
      made: sql`timestamptz '2026-01-01T05:00:00Z' + n * interval '1 minute'`,
    });
    const pages = jest.spyOn(reporting.reads.merchants, 'inTurn');
    const answer = await reporting.open(merchant(organizationId), '/report/payment.csv');
    let made = 0;
    for (let before = -1; before !== made; made = pages.mock.calls.length) {
      before = made;
      await sleep(500);
    }
    // Rows read so far only fill the buffers of two sockets.
    expect(made).toBeLessThan(rows / pageSize / 2);
    const [head = [], ...lines] = parseCsv(await answer.text());
    const inOrder = await reporting.db.many<{ id: string }>(sql`
      select id from payment where organization_id = ${organizationId} and status is not null
      order by created_at desc, id desc`);
    const ids = lines.map((line) => line[head.indexOf('Id')]);
    expect(ids.length).toBe(inOrder.length);
    expect(ids.findIndex((id, i) => id !== inOrder[i]?.id)).toBe(-1);
    expect(pages.mock.calls.length).toBeGreaterThanOrEqual(ids.length / pageSize);
    pages.mockRestore();
  });

  const exported = async (organizationId: string, query = '') =>
    (await reporting.open(merchant(organizationId), `/report/payment.csv${query}`)).text();

  test('has what the cursor walks, in its order, over many pages', async () => {
    const organizationId = newId();
    await insertManyPayments(reporting.db, [organizationId], { count: 1_203, firstCode: 9_000_000 });
    for (const query of ['', 'status=CONFIRMED&status=REFUNDED&amountFrom=50']) {
      const walked: ReportedPayment[] = [];
      for (let cursor = ''; ;) {
        const page = await ask(organizationId, `/report/payment?limit=100&${query}${cursor}`);
        const { data, pagination } = page as { data: ReportedPayment[]; pagination: { nextCursor: string | null } };
        walked.push(...data);
        if (pagination.nextCursor === null) break;
        cursor = `&cursor=${pagination.nextCursor}`;
      }
      const [head = [], ...lines] = parseCsv(await exported(organizationId, `?language=en&${query}`));
      const column = (name: string) => lines.map((line) => line[head.indexOf(name)]);
      expect(column('Id')).toEqual(walked.map(({ id }) => id));
      expect(column('Amount (MXN)')).toEqual(walked.map(({ amount }) => amount.toFixed(2)));
      expect(column('Created (UTC)')).toEqual(walked.map(({ createdAt }) => createdAt));
      expect(new Set(lines.map((line) => line.length))).toEqual(new Set([head.length]));
    }
  });

  test('is UTF-8 with its mark, names the zone of each time, and no text of a stranger is a formula', async () => {
    const organizationId = newId();
    const billing = { email: '@example.com', firstName: '+1', lastName: '-2', phoneNumber: '\t=1', address: null };
    const hostile = '=HYPERLINK("https://evil.example","a,b")';
    await confirmed({ organizationId, ...at('2026-11-21T03:30:09.000Z'), externalId: hostile, billing });
    const answer = await reporting.open(merchant(organizationId), '/report/payment.csv');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [head = [], line = []] = parseCsv(bytes.toString('utf8').slice(1));
    expect(Object.fromEntries(head.map((name, i) => [name, line[i]]))).toMatchObject({
      'Creado: día (Ciudad de México)': '2026-11-20',
      'Creado: hora (Ciudad de México)': '21:30:09',
      'Creado (UTC)': '2026-11-21T03:30:09.000Z',
      'Tu referencia': `'${hostile}`,
      Nombre: "'+1",
      Apellido: "'-2",
      Correo: "'@example.com",
      Teléfono: "'\t=1",
    });
    expect(parseCsv(await exported(newId()))).toHaveLength(1);
    expect(await refused(organizationId, '/report/payment.csv?limit=5')).toMatch('400 VALIDATION_ERROR');
  });

  test('breaks off where a row in its middle cannot be read, so that nobody takes it for whole', async () => {
    const organizationId = newId();
    await insertManyPayments(reporting.db, [organizationId], { count: 600, firstCode: 9_500_000 });
    await reporting.db.run(sql`
      update payment set disbursement = '{"merchantFeeAmount": null}' where id = (
        select id from payment where organization_id = ${organizationId} order by created_at, id limit 1)`);
    await expect(exported(organizationId)).rejects.toThrow('terminated');
  });
});

describe('GET /report/settlement', () => {
  test('has a charge on its day, a hold on the day of its capture, refunds apart; and the list has the rows of each', async () => {
    const organizationId = newId();
    const charge = await confirmed({ organizationId, amount: 100_000n, ...at('2026-11-10T18:00:00.000Z') });
    const hold = await held({ organizationId, amount: 50_000n, ...at('2026-11-08T18:00:00.000Z') });
    const { transaction } = hold;
    const captured = { paymentId: hold.paymentId, organizationId, amount: 40_000n, rates, transaction };
    await reporting.receive(about('HoldCaptured', { ...captured, capturedAt: new Date('2026-11-11T05:59:59.000Z') }));
    const refund = { ...charge, reason: null, payment: null, transaction };
    await reporting.receive(about('PaymentRefunded', { ...refund, refundedAt: new Date('2026-11-12T18:00:00.000Z') }));
    const { days } = (await ask(organizationId, '/report/settlement?from=2026-11-08&to=2026-11-12')) as {
      days: SettledDay[];
    };
    const nothing = { payments: 0, amount: 0, take: 0 };
    expect(days.map(({ day, payments, amount, take, refunds }) => [day, payments, amount, take, refunds])).toEqual([
      ['2026-11-08', 0, 0, 0, nothing],
      ['2026-11-09', 0, 0, 0, nothing],
      ['2026-11-10', 2, 1400, 1331.4, nothing],
      ['2026-11-11', 0, 0, 0, nothing],
      ['2026-11-12', 0, 0, 0, { payments: 1, amount: 1000, take: 951 }],
    ]);
    expect(await idsOf(organizationId, 'settledOn=2026-11-10')).toEqual([charge.paymentId, hold.paymentId]);
    expect(await idsOf(organizationId, 'settledOn=2026-11-08')).toEqual([]);
    expect(await idsOf(organizationId, 'refundedOn=2026-11-12')).toEqual([charge.paymentId]);
  });

  test.each(['from=2026-11-02&to=2026-11-01', 'from=2026-10-01&to=2026-11-01', 'from=2026-11-01'])(
    'refuses %s',
    async (query) => {
      expect(await refused(newId(), `/report/settlement?${query}`)).toMatch('400 VALIDATION_ERROR');
    },
  );
});

describe('GET /report/payment/{id}/disbursement', () => {
  const explained = async (facts: PaymentFacts) =>
    disbursementExplained.parse(await ask(facts.organizationId, `/report/payment/${facts.paymentId}/disbursement`));

  test('has steps that add up', async () => {
    const { steps } = await explained(await confirmed({ amount: 100_000n }));
    expect(steps).toEqual([
      { step: 'AMOUNT', amount: 1000, left: 1000, formula: null },
      { step: 'FEE', amount: -25, left: 975, formula: '1,000.00 × (3.50 % − 1.00 %) = 25.00' },
      { step: 'FEE_IVA', amount: -4, left: 971, formula: '25.00 × 16.00 % = 4.00' },
      { step: 'PROMOTION', amount: -20, left: 951, formula: '1,000.00 × 2.00 % = 20.00' },
      { step: 'TAKE', amount: 951, left: 951, formula: null },
    ]);
    for (const amount of [1n, 7n, 33n, 12_345n, 99_999_999_999n]) {
      const each = (await explained(await confirmed({ amount }))).steps;
      expect(each.at(-1)?.amount).toBe(each.at(-2)?.left);
    }
  });

  test('says what merchant and sponsor bear and get of it', async () => {
    const promoted = { feeBps: 910, promotionFeeDiscountBps: 450, promotionBusinessTakeBps: 125 };
    const { shares } = await explained(await confirmed({ amount: 479_900n, rates: promoted }));
    expect(shares).toEqual([
      { share: 'FEE', merchant: 220.75, sponsor: 215.96, total: 436.71, formula: '4.60 % + 4.50 %' },
      { share: 'FEE_IVA', merchant: 35.32, sponsor: 34.55, total: 69.87, formula: '16.00 %' },
      { share: 'PROMOTION', merchant: -59.99, sponsor: 59.99, total: 0, formula: '1.25 %' },
      { share: 'TAKE', merchant: 4482.94, sponsor: -190.52, total: 4292.42, formula: null },
    ]);
  });

  test('has no promotion where there is none, no steps while no money has moved, and is nobody else’s', async () => {
    const plain = { ...rates, promotionFeeDiscountBps: 0, promotionBusinessTakeBps: 0 };
    const { steps, shares } = await explained(await confirmed({ amount: 100_000n, rates: plain }));
    expect(shares).toEqual([]);
    expect(steps.map(({ step, formula }) => [step, formula])).toEqual([
      ['AMOUNT', null],
      ['FEE', '1,000.00 × 3.50 % = 35.00'],
      ['FEE_IVA', '35.00 × 16.00 % = 5.60'],
      ['TAKE', null],
    ]);
    expect(await explained(await declined({}, 'do_not_honor'))).toMatchObject({ status: 'CANCELLED', steps: [] });
    for (const facts of [await held({}), await confirmed({ rates: null })])
      expect(await explained(facts)).toMatchObject({ steps: [] });
    const path = `/report/payment/${(await confirmed({})).paymentId}/disbursement`;
    expect(await refused(newId(), path)).toMatch('404 PAYMENT_NOT_FOUND');
  });
});
