import type { Payment } from '@cobro/contracts/payments.ts';
import type { HeldPayment } from '@cobro/contracts/reports.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { dayInMexicoCity, timeOfDay } from '@cobro/domain/mexico-city.ts';
import { sql } from '@cobro/postgres/database.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import { bankOperations } from '@cobro/testing/bank-operations.ts';
import { putJson } from '@cobro/testing/put-json.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signInAs } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** The dashboard when two people change the same payment at once, when the bank is silent, and when the clock moves. */
export function dashboardActions(tested: StackUnderTest): void {
  const { stack, merchant, db } = tested;
  let [first, second]: TestBrowser[] = [];
  beforeAll(async () => {
    [first, second] = [await signInAs(tested, 'owner'), await signInAs(tested, 'operator')];
  });
  afterAll(async () => {
    await setFaults(stack().bankUrl, {});
    await fetch(stack().clockUrl, { method: 'DELETE' });
  });
  const [one, other] = [() => first as TestBrowser, () => second as TestBrowser];

  const made = async (body: object, number?: string): Promise<Payment> =>
    (await merchant().charge(await merchant().saveCard(number), { amount: 100, ...body })).body;

  /** The kinds of operations in the bank's books for this payment. */
  async function atTheBank(paymentId: string): Promise<string[]> {
    const keys = await Promise.all(
      (['payments', 'holds'] as const).map((service) =>
        db(service).many<{ id: string }>(sql`select id from bank_operation where subject_id = ${paymentId}`),
      ),
    );
    const ours = new Set(keys.flat().map(({ id }) => id));
    const operations = await bankOperations(stack().bankUrl);
    return operations.filter(({ idempotencyKey }) => ours.has(idempotencyKey)).map(({ kind }) => kind);
  }

  test.each([
    ['capture', true, ['authorize', 'capture'], [409]],
    // A repeated release gets the same answer again.
    ['release', true, ['authorize', 'void'], [303, 409]],
    ['refund', false, ['sale', 'refund'], [409]],
  ] as const)(
    'a %s by double click and in two browsers is one at the bank',
    async (action, holdFunds, kinds, others) => {
      const { id } = await made({ holdFunds });
      const path = `/payments/${id}/${action}`;
      await Promise.all([one().get(path), other().get(path)]);
      const sent = await Promise.all([one().post(path), one().post(path), other().post(path)]);
      const [done, ...later] = sent.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(done).toBe(303);
      expect(later.filter((status) => !others.some((allowed) => allowed === status))).toEqual([]);
      const refused = sent.filter(({ status }) => status === 409).map(({ html }) => html);
      expect(refused.filter((html) => !/ya está en proceso|ya se devolvió|Ya no hay/.test(html))).toEqual([]);
      expect(await atTheBank(id)).toEqual(kinds);
      expect((await one().get(`/payments/${id}`)).html).toContain('Ana Torres');
      const audit = await db('dashboard').many<{ outcome: string }>(sql`
      select outcome from audit where what = ${`payment.${action}`} and target = ${id}`);
      const outcomes = audit.map(({ outcome }) => outcome).toSorted();
      expect(outcomes).toEqual([...Array(3).fill('answered'), ...Array(3).fill('asked')]);
    },
  );

  test('a payment whose bank stays silent says so, and turns into a paid one by itself', async () => {
    await setFaults(stack().bankUrl, unansweredInquiries);
    const { id } = await made({}, testCards.silentDone);
    const { html } = await one().get(`/payments/${id}`);
    expect(html).toContain('data-waits');
    expect(html).toContain('No lo repitas');
    expect(html).not.toContain(`/payments/${id}/refund"`);
    await setFaults(stack().bankUrl, {});
    await until(
      'the page shows the outcome',
      async () => !(await one().get(`/payments/${id}`)).html.includes('data-waits'),
    );
    expect((await one().get(`/payments/${id}`)).html).toContain(`action="/payments/${id}/refund"`);
  });

  test('by the clock panel: at 22:59 of its last day a hold is captured, at 23:01 it says that its window has closed', async () => {
    // Placed at noon, whenever the test runs.
    const noon = timeOfDay(dayInMexicoCity(new Date()), { days: 1, hour: 12, minute: 0 });
    await putJson(stack().clockUrl, { now: noon.toISOString() });
    const [early, late] = [await made({ holdFunds: true }), await made({ holdFunds: true })];
    // The bank declines every void, so that the sweep does not come first.
    await setFaults(stack().bankUrl, { rates: { decline: 1 }, kinds: ['void'] });
    const move = async (how: string) => {
      expect(await one().post('/clock', { move: how })).toMatchObject({ status: 303, location: '/clock' });
      return (await one().get('/clock')).html;
    };
    await one().get('/clock');
    for (let day = 0; day < 6; day++) await move('day');
    expect(await move('2259')).toMatch(/22:59/);
    await one().get(`/payments/${early.id}/capture`);
    expect((await one().post(`/payments/${early.id}/capture`)).status).toBe(303);
    await until('the board has the hold', async () => (await onBoard()).includes(late.id));
    expect(await move('2301')).toMatch(/23:01/);
    await one().get(`/payments/${late.id}/capture`);
    await until('the capture is refused in words', async () => {
      const { status, html } = await one().post(`/payments/${late.id}/capture`);
      expect(status).toBe(409);
      return html.includes('HOLD_WINDOW_CLOSED') && html.includes('La ventana de la retención cerró a las 23:00');
    });
    expect(await onBoard()).not.toContain(late.id);
    await setFaults(stack().bankUrl, {});
    await move('back');
    expect(await atTheBank(late.id)).not.toContain('capture');
    expect((await one().post('/clock', { move: 'sideways' })).status).toBe(400);
    const reader = await signInAs(tested, 'read-only');
    expect((await reader.get('/clock')).status).toBe(403);
    await expect(tested.agreed()).resolves.toBeUndefined();
  });

  async function onBoard(): Promise<string[]> {
    const all: string[] = [];
    for (let offset = 0; ; offset += 100) {
      const path = `/report/hold?limit=100&offset=${offset}`;
      const { body } = await merchant().send<{ holds: HeldPayment[] }>('GET', path);
      all.push(...body.holds.map(({ id }) => id));
      if (body.holds.length < 100) return all;
    }
  }
}
