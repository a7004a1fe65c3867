import '@cobro/testing/check-answers.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PaymentFacts } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { disbursementExplained, holdBoard, reportedDays, type ReportedPayment } from '@cobro/contracts/reports.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { about, approved, merchant, paymentFacts, rates } from '@cobro/testing/test-facts.ts';
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

const ask = async (organizationId: string, path: string) => {
  const { status, body } = await reporting.get(merchant(organizationId), path);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as unknown;
};
const daysOf = async (organizationId: string, query = '') =>
  reportedDays.parse(await ask(organizationId, `/report/day${query}`)).days;
const boardOf = async (organizationId: string, query = '') =>
  holdBoard.parse(await ask(organizationId, `/report/hold${query}`));
const refused = async (organizationId: string, path: string) => {
  const { status, body } = await reporting.get(merchant(organizationId), path);
  return `${status} ${body.code} ${body.message}`;
};

async function confirmed(given: Partial<PaymentFacts>) {
  const facts = paymentFacts(given);
  await reporting.receive(about('PaymentConfirmed', { ...facts, confirmedAt: facts.createdAt }));
  return facts;
}
async function declined(given: Partial<PaymentFacts>, declineCode: string) {
  const facts = paymentFacts(given);
  await reporting.receive(about('PaymentDeclined', { ...facts, declinedAt: facts.createdAt, declineCode }));
  return facts;
}
async function held(given: Partial<PaymentFacts>, captureBefore: Date | null = null) {
  const facts = paymentFacts(given);
  await reporting.receive(about('HoldPlaced', { ...facts, captureBefore, heldAt: facts.createdAt }));
  return facts;
}
const refund = ({ paymentId, organizationId, amount, ...facts }: PaymentFacts, at: string) =>
  reporting
    .receive(
      about('PaymentRefunded', {
        paymentId,
        organizationId,
        paymentIntentId: null,
        amount,
        refundedAt: new Date(at),
        reason: null,
        transaction: approved('refund-1', at),
        payment: null,
      } as never),
    )
    .then(() => facts);
const capture = ({ paymentId, organizationId, paymentMethodId }: PaymentFacts, amount: bigint, at: string) =>
  reporting.receive(
    about('HoldCaptured', {
      paymentId,
      organizationId,
      paymentMethodId: paymentMethodId ?? newId(),
      heldAmount: 100_000n,
      amount,
      capturedAt: new Date(at),
      rates,
      transaction: approved('capture-1', at),
      payment: null,
    } as never),
  );
const at = (time: string) => ({ createdAt: new Date(time) });

describe('GET /report/day', () => {
  test('has each day of Mexico City, with refunds on their own day, declines by code, and today by the hour', async () => {
    const organizationId = newId();
    reporting.setNow('2026-11-20T18:00:00.000Z');
    // 23:59 of the 18th, and midnight of the 19th.
    await confirmed({ organizationId, amount: 50_000n, ...at('2026-11-19T05:59:59.999Z') });
    const back = await confirmed({ organizationId, amount: 20_000n, ...at('2026-11-19T06:00:00.000Z') });
    await refund(back, '2026-11-20T15:00:00.000Z');
    await declined({ organizationId, ...at('2026-11-20T14:00:00.000Z') }, 'insufficient_funds');
    await declined({ organizationId, ...at('2026-11-20T14:00:00.000Z') }, 'insufficient_funds');
    await declined({ organizationId, ...at('2026-11-20T14:00:00.000Z') }, 'strange_code');
    await confirmed({ organizationId, amount: 10_000n, ...at('2026-11-20T15:30:00.000Z') });
    await confirmed({ organizationId, amount: 10_001n, rates: null, ...at('2026-11-20T15:59:00.000Z') });
    await held({ organizationId, ...at('2026-11-20T16:00:00.000Z') });
    await capture(
      await held({ organizationId, ...at('2026-11-20T16:00:00.000Z') }),
      64_075n,
      '2026-11-20T17:00:00.000Z',
    );

    const days = await daysOf(organizationId, '?from=2026-11-17&to=2026-11-20');
    expect(days.map(({ day, payments, amount, take }) => [day, payments, amount, take])).toEqual([
      ['2026-11-17', 0, 0, 0],
      ['2026-11-18', 1, 500, 475.5],
      ['2026-11-19', 1, 200, 190.2],
      ['2026-11-20', 3, 840.76, 704.45],
    ]);
    expect(days[0]).toMatchObject({ approvalRate: null, declines: [], hours: null, refunds: { payments: 0 } });
    expect(days[2]).toMatchObject({ fee: 5, feeIva: 0.8, promotionTake: 4, refunds: { payments: 0, amount: 0 } });
    expect(days[3]).toMatchObject({
      approved: 4,
      declined: 3,
      approvalRate: 0.5714,
      declines: [
        { reason: 'FUNDS', declineCode: 'insufficient_funds', payments: 2 },
        { reason: 'OTHER', declineCode: 'strange_code', payments: 1 },
      ],
      refunds: { payments: 1, amount: 200, take: 190.2 },
    });
    const hours = days[3]?.hours ?? [];
    expect(hours).toHaveLength(24);
    expect(hours.filter(({ payments }) => payments > 0)).toEqual([
      { hour: 9, payments: 2, amount: 200.01 },
      { hour: 10, payments: 1, amount: 640.75 },
    ]);
    expect((await daysOf(organizationId)).map(({ day }) => day)).toEqual(['2026-11-20']);
    expect(await daysOf(newId())).toMatchObject([{ payments: 0, approvalRate: null }]);
  });

  test('equals sums over the list of the same days', async () => {
    const organizationId = newId();
    for (let i = 0; i < 30; i++) {
      const given = {
        organizationId,
        amount: BigInt(1_000 + i * 333),
        ...at(`2026-11-1${i % 4}T${10 + (i % 9)}:00:00.000Z`),
      };
      const facts = await confirmed(given);
      if (i % 7 === 0) await refund(facts, '2026-11-15T18:00:00.000Z');
      if (i % 5 === 0) await declined(given, 'do_not_honor');
    }
    for (const day of await daysOf(organizationId, '?from=2026-11-10&to=2026-11-15')) {
      const path = `/report/payment?limit=100&createdAtFrom=${day.day}&createdAtTo=${day.day}`;
      const { data } = (await ask(organizationId, path)) as { data: ReportedPayment[] };
      const paid = data.filter(({ status }) => status === 'CONFIRMED' || status === 'REFUNDED');
      const sum = (of: (payment: ReportedPayment) => number | null) =>
        paid.reduce((cents, payment) => cents + Math.round((of(payment) ?? 0) * 100), 0) / 100;
      expect([day.payments, day.amount, day.take, day.fee, day.feeIva]).toEqual([
        paid.length,
        sum(({ amount }) => amount),
        sum(({ take }) => take),
        sum(({ fee }) => fee),
        sum(({ feeIva }) => feeIva),
      ]);
      expect(day.declined).toBe(data.filter(({ declineCode }) => declineCode === 'do_not_honor').length);
    }
    const [refunds] = await daysOf(organizationId, '?from=2026-11-15');
    expect(refunds?.refunds.payments).toBe(5);
  });

  test.each([
    ['?from=2026-11-21&to=2026-11-20', 'to: must not be before from'],
    ['?from=2026-10-20&to=2026-11-20', 'from: must be 31 days before the end at most'],
    ['?from=yesterday', 'from: must be a day (YYYY-MM-DD)'],
    ['?from=2026-02-30', 'from: must be a day (YYYY-MM-DD)'],
    ['?day=2026-11-20', 'day: is not a known field'],
  ])('refuses %s', async (query, message) => {
    expect(await refused(newId(), `/report/day${query}`)).toContain(`400 VALIDATION_ERROR`);
    expect(await refused(newId(), `/report/day${query}`)).toContain(message);
  });
});

describe('GET /report/hold', () => {
  test('has open holds by the day on which they end, what ends next first, and leaves out what has ended', async () => {
    const organizationId = newId();
    reporting.setNow('2026-11-20T18:00:00.000Z');
    const today = await held({ organizationId, amount: 10_000n, ...at('2026-11-14T18:00:00.000Z') });
    const later = await held({ organizationId, amount: 30_000n, ...at('2026-11-19T18:00:00.000Z') });
    const sooner = await held(
      { organizationId, amount: 20_000n, ...at('2026-11-19T18:00:00.000Z') },
      new Date('2026-11-22T12:00:00.000Z'),
    );
    await capture(
      await held({ organizationId, ...at('2026-11-19T18:00:00.000Z') }),
      5_000n,
      '2026-11-20T12:00:00.000Z',
    );
    const board = await boardOf(organizationId);
    expect(board.days).toEqual([
      { endsOn: '2026-11-20', daysRemaining: 1, firstEndsAt: '2026-11-21T05:00:00.000Z', holds: 1, amount: 100 },
      { endsOn: '2026-11-22', daysRemaining: 3, firstEndsAt: '2026-11-22T12:00:00.000Z', holds: 1, amount: 200 },
      { endsOn: '2026-11-25', daysRemaining: 6, firstEndsAt: '2026-11-26T05:00:00.000Z', holds: 1, amount: 300 },
    ]);
    expect(board.holds.map(({ id, daysRemaining }) => [id, daysRemaining])).toEqual([
      [today.paymentId, 1],
      [sooner.paymentId, 3],
      [later.paymentId, 6],
    ]);
    expect(board.holds[1]).toMatchObject({ status: 'HELD', amount: 200, endsAt: '2026-11-22T12:00:00.000Z' });
    expect((await boardOf(organizationId, '?endsOn=2026-11-22')).holds.map(({ id }) => id)).toEqual([sooner.paymentId]);
    expect((await boardOf(organizationId, '?limit=1&offset=2')).holds.map(({ id }) => id)).toEqual([later.paymentId]);

    // 23:00 in Mexico City.
    reporting.setNow('2026-11-21T05:00:00.000Z');
    const after = await boardOf(organizationId);
    expect(after.days.map(({ endsOn, daysRemaining }) => [endsOn, daysRemaining])).toEqual([
      ['2026-11-22', 2],
      ['2026-11-25', 5],
    ]);
    expect(after.holds).toHaveLength(2);
    expect(await boardOf(newId())).toEqual({ days: [], holds: [] });
    reporting.setNow('2026-11-20T18:00:00.000Z');
  });
});

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
    const idsOf = async (query: string) => {
      const { data } = (await ask(organizationId, `/report/payment?${query}`)) as { data: ReportedPayment[] };
      return data.map(({ id }) => id);
    };
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
    for (const [query, id] of only) expect({ query, ids: await idsOf(query) }).toEqual({ query, ids: [id] });
    expect(await idsOf('')).toHaveLength(2);
    expect(await idsOf('externalId=order-77&source=SAVED_CARD')).toEqual([]);
    expect(await idsOf(`operationCode=${theirs.operationCode}`)).toEqual([]);
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
    const walked: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const page = (await ask(organizationId, `/report/payment?${query}${next && `&cursor=${next}`}`)) as {
        data: ReportedPayment[];
        pagination: { nextCursor: string | null };
      };
      walked.push(...page.data.map(({ id }) => id));
      next = page.pagination.nextCursor;
      if (next !== null) {
        expect(await refused(organizationId, `/report/payment?limit=2&amountFrom=2&cursor=${next}`)).toMatch(
          'INVALID_CURSOR',
        );
        expect(await refused(newId(), `/report/payment?${query}&cursor=${next}`)).toMatch('INVALID_CURSOR');
      }
    }
    expect(new Set(walked).size).toBe(5);
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

describe('GET /report/payment/{id}/disbursement', () => {
  const explained = async (facts: PaymentFacts) =>
    disbursementExplained.parse(await ask(facts.organizationId, `/report/payment/${facts.paymentId}/disbursement`));

  test('is a staircase that meets', async () => {
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

  test('has no promotion where there is none, no steps while no money has moved, and is nobody else’s', async () => {
    const plain = { ...rates, promotionFeeDiscountBps: 0, promotionBusinessTakeBps: 0 };
    const { steps } = await explained(await confirmed({ amount: 100_000n, rates: plain }));
    expect(steps.map(({ step, formula }) => [step, formula])).toEqual([
      ['AMOUNT', null],
      ['FEE', '1,000.00 × 3.50 % = 35.00'],
      ['FEE_IVA', '35.00 × 16.00 % = 5.60'],
      ['TAKE', null],
    ]);
    expect(await explained(await declined({}, 'do_not_honor'))).toMatchObject({ status: 'CANCELLED', steps: [] });
    expect(await explained(await held({}))).toMatchObject({ status: 'HELD', steps: [] });
    expect(await explained(await confirmed({ rates: null }))).toMatchObject({ steps: [] });
    const { paymentId } = await confirmed({});
    expect(await refused(newId(), `/report/payment/${paymentId}/disbursement`)).toMatch('404 PAYMENT_NOT_FOUND');
  });
});
