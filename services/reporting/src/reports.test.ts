import '@cobro/testing/check-answers.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PaymentFacts } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { holdBoard, reportedDays, type ReportedPayment, takings } from '@cobro/contracts/reports.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { about, approved, rates } from '@cobro/testing/test-facts.ts';
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
const daysOf = async (organizationId: string, query = '') =>
  reportedDays.parse(await ask(organizationId, `/report/day${query}`)).days;
const boardOf = async (organizationId: string, query = '') =>
  holdBoard.parse(await ask(organizationId, `/report/hold${query}`));
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
      }),
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
    ['?from=2000-01-01&to=9999-12-31', 'from: must be 31 days before the end at most'],
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
    const oneDay = await boardOf(organizationId, '?endsOn=2026-11-22');
    expect(oneDay.days).toEqual([board.days[1]]);
    expect(oneDay.holds.map(({ id }) => id)).toEqual([sooner.paymentId]);
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

describe('GET /report/takings', () => {
  const takingsOf = async (organizationId: string, query = '') =>
    takings.parse(await ask(organizationId, `/report/takings${query}`));

  test('has what each salesperson, branch and terminal took on a day, refunds of the day apart, and each part adds up', async () => {
    const organizationId = newId();
    const [lucia, eva, roma, till] = [newId(), newId(), newId(), newId()];
    reporting.setNow('2026-11-20T18:00:00.000Z');
    const today = at('2026-11-20T15:00:00.000Z');
    const byLucia = { salespersonId: lucia, salespersonName: 'Lucía', salespersonUsername: 'lucia' };
    const inRoma = { branchId: roma, branchName: 'Roma' };
    await confirmed({ organizationId, amount: 50_000n, ...today, ...byLucia, ...inRoma, terminalId: till });
    await confirmed({ organizationId, amount: 10_050n, ...today, ...byLucia, salespersonName: 'Lucía R.' });
    await confirmed({ organizationId, amount: 7_000n, ...today });
    await confirmed({ organizationId, amount: 99_900n, ...at('2026-11-19T15:00:00.000Z'), ...byLucia });
    const salespersonId = eva;
    const yesterday = { ...at('2026-11-19T15:00:00.000Z'), salespersonId, ...inRoma };
    await refund(await confirmed({ organizationId, amount: 20_000n, ...yesterday }), '2026-11-20T15:00:00.000Z');
    await declined({ organizationId, ...today, ...byLucia }, 'insufficient_funds');
    await confirmed({ organizationId: newId(), amount: 1n, ...today, ...byLucia });

    const none = { payments: 0, amount: 0 };
    const shown = await takingsOf(organizationId);
    expect(shown).toEqual({
      day: '2026-11-20',
      payments: 3,
      amount: 670.5,
      refunds: { payments: 1, amount: 200 },
      salespeople: [
        { id: lucia, name: 'Lucía R.', payments: 2, amount: 600.5, refunds: none },
        { id: null, name: null, payments: 1, amount: 70, refunds: none },
        { id: eva, name: null, ...none, refunds: { payments: 1, amount: 200 } },
      ],
      branches: [
        { id: roma, name: 'Roma', payments: 1, amount: 500, refunds: { payments: 1, amount: 200 } },
        { id: null, name: null, payments: 2, amount: 170.5, refunds: none },
      ],
      terminals: [
        { id: till, name: null, payments: 1, amount: 500, refunds: none },
        { id: null, name: null, payments: 2, amount: 170.5, refunds: { payments: 1, amount: 200 } },
      ],
    });
    expect(await takingsOf(organizationId, '?day=2026-11-18')).toMatchObject({ ...none, salespeople: [] });
    expect((await takingsOf(organizationId, '?day=2026-11-19')).amount).toBe(1199);
    const listed = async (query: string) =>
      ((await ask(organizationId, `/report/payment?${query}`)) as { data: ReportedPayment[] }).data.length;
    expect(await listed(`salespersonId=${lucia}&settledOn=2026-11-20`)).toBe(2);
    expect([await listed(`branchId=${roma}`), await listed(`terminalId=${till}`)]).toEqual([2, 1]);
    expect(await listed(`salespersonId=${newId()}`)).toBe(0);
    expect(await refused(organizationId, '/report/takings?day=20')).toContain('400 VALIDATION_ERROR');
  });

  test('has a payment on the day on which the bank has settled it, also where its clock is behind ours', async () => {
    const organizationId = newId();
    // By our clock it is already after midnight.
    const confirmedAt = new Date('2026-11-20T05:59:59.500Z');
    await confirmed({ organizationId, amount: 5_000n, ...at('2026-11-20T06:00:00.200Z'), confirmedAt });
    const days = ['2026-11-19', '2026-11-20'];
    const taken = await Promise.all(days.map((day) => takingsOf(organizationId, `?day=${day}`)));
    expect(taken.map(({ amount }) => amount)).toEqual([50, 0]);
    const listed = await Promise.all(days.map((day) => ask(organizationId, `/report/payment?settledOn=${day}`)));
    expect(listed.map((one) => (one as { data: unknown[] }).data.length)).toEqual([1, 0]);
  });
});
