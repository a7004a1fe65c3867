import type { Payment } from '@cobro/contracts/payments.ts';
import type { PartnerList, PartnerPayment } from '@cobro/contracts/partner-payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { signedPesos } from '@cobro/dashboard/parts/small-parts.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { sql } from '@cobro/postgres/database.ts';
import { runCommand } from '@cobro/testing/run-command.ts';
import { parseCsv } from '@cobro/testing/parse-csv.ts';
import type { PageAnswer, TestBrowser } from '@cobro/testing/test-browser.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import { reconcileCommands } from '../../ops/reconcile-command.ts';
import { figuresOf, paymentsOfToday } from './payments-of-today.ts';
import { signInAs, signInElsewhere } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** What a person sees of payments in the dashboard, and what they do there, without a script. */
export function dashboard(tested: StackUnderTest): void {
  const { stack, merchant, partner, db } = tested;
  const charged = async (body: object): Promise<Payment> =>
    (await merchant().charge(await merchant().saveCard(), { amount: 100, ...body })).body;
  const listed = async (browser: TestBrowser, search: string, id: string): Promise<PageAnswer> => {
    let page: PageAnswer | undefined;
    await until(`${search} shows the payment`, async () => {
      page = await browser.get(`/payments${search}`);
      return page.html.includes(`href="/payments/${id}"`);
    });
    return page as PageAnswer;
  };
  let owner: TestBrowser;

  test('the list has every payment, and finds it by what people know of it', async () => {
    owner = await signInAs(tested, 'owner');
    const externalId = `<script>${crypto.randomUUID()}`;
    const { id } = await charged({ amount: 1250.5, externalId });
    const { status, html } = await listed(owner, '', id);
    expect(status).toBe(200);
    expect(html).toContain('$1,250.50');
    expect(html).not.toContain(externalId);
    for (const q of [externalId, '1,250.50', testCards.approved.slice(-4)]) {
      await listed(owner, `?q=${encodeURIComponent(q)}`, id);
    }
    const { html: filtered } = await listed(owner, '?source=SAVED_CARD&terms=1&amountFrom=1250.5&amountTo=1250.50', id);
    for (const chip of ['Origen: Tarjeta guardada', 'Mensualidades: Un solo pago', 'Importe hasta: $1250.50']) {
      expect(filtered).toContain(chip);
    }
    expect((await owner.get('/payments?source=PAYMENT_LINK&amountFrom=1250.5&amountTo=1250.5')).html).not.toContain(id);
    expect((await owner.get(`/payments?q=${id}`)).location).toBe(`/payments/${id}`);
    const none = await owner.get('/payments?status=HOLD_EXPIRED&from=2020-01-01&to=2020-01-01');
    expect(none.html).not.toContain('href="/payments/');
    expect((await owner.get('/payments?from=yesterday')).status).toBe(400);
  });

  test('Home shows the sums of today over the API, and each figure leads to its payments', async () => {
    await merchant().charge(await merchant().saveCard(testCards.declined), {});
    const { id } = await charged({ amount: 77.01 });
    await until('Home shows what the API has', async () => {
      const all = await paymentsOfToday(merchant());
      const { status, html } = await owner.get('/');
      expect(status).toBe(200);
      const shown = [...html.matchAll(/class="figure-now"><a href="[^"]*">([^]*?)<\/a>/g)].map(([, text = '']) =>
        text.replaceAll(/<[^>]*>/g, ''),
      );
      return all.some((one) => one.id === id) && JSON.stringify(shown) === JSON.stringify(figuresOf(all));
    });
    await listed(owner, `?status=PAID&from=${dayInMexicoCity(new Date())}`, id);
  });

  test('the export has what the list has, says nothing that is a formula, and is in the audit', async () => {
    const externalId = `=HYPERLINK("${crypto.randomUUID()}")`;
    const { id } = await charged({ externalId });
    await until('the export has what the API has', async () => {
      const paid = (await paymentsOfToday(merchant())).filter(
        ({ status }) => status === 'CONFIRMED' || status === 'REFUNDED',
      );
      const { status, html } = await owner.get(`/payments.csv?status=PAID&from=${dayInMexicoCity(new Date())}`);
      const [head = [], ...lines] = parseCsv(html);
      const line = lines.find((cells) => cells.includes(id));
      const isWhole =
        JSON.stringify(lines.map((cells) => cells[head.indexOf('Id')])) === JSON.stringify(paid.map((one) => one.id));
      return status === 200 && isWhole && line?.includes(`'${externalId}`) === true;
    });
    const rows = await db('dashboard').many<{ outcome: string; target: string; code: string | null }>(sql`
      select outcome, target, code from audit where what = 'export.payments' order by id desc limit 2`);
    expect(rows).toEqual([
      { outcome: 'answered', target: 'status from', code: null },
      { outcome: 'asked', target: 'status from', code: null },
    ]);
    expect((await owner.get('/payments.csv?from=yesterday')).status).toBe(400);
    expect((await owner.get(`/payments.csv?q=${testCards.approved}`)).status).toBe(400);
  });

  test('a deposit is entered for a day, and what lacks is said; the day equals what its partner sees', async () => {
    const day = dayInMexicoCity(new Date());
    const { id } = await charged({ amount: 1000 });
    let take = 0n;
    await until('the day has what the partner sees', async () => {
      take = await takeOfPartner(day);
      const { html } = await owner.get(`/deposits/${day}`);
      return (
        html.includes(`href="/payments/${id}"`) &&
        html.includes(`<strong><span class="number">${signedPesos(take)}</span></strong>`)
      );
    });
    const wrong = await owner.post(`/deposits/${day}`, { amount: '=1+1' });
    expect(wrong).toMatchObject({ status: 400, html: expect.stringContaining('value="=1+1"') });
    const deposit = signedPesos(take - 150n).replace('$', '');
    expect((await owner.post(`/deposits/${day}`, { amount: deposit })).location).toBe(`/deposits/${day}`);
    expect((await owner.get(`/deposits/${day}`)).html).toContain('−$1.50');
    expect((await owner.get('/deposits')).html).toContain(`$${deposit}`);
    expect((await owner.get('/deposits?month=2026-13')).status).toBe(404);
    expect((await owner.get('/deposits/2026-02-30')).status).toBe(404);
    await owner.post(`/deposits/${day}`, { amount: '' });
    expect((await owner.get(`/deposits/${day}`)).html).not.toContain('−$1.50');
  });

  test('a dispute that the acquirer reports stands beside the deposit, once the books of the day are compared', async () => {
    const day = dayInMexicoCity(new Date());
    const { id } = await charged({ amount: 731.25 });
    const { about } = await db('payments').one<{ about: string }>(sql`
      select id as about from bank_operation where subject_id = ${id}`);
    const { status } = await fetch(`${stack().bankUrl}/disputes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ about, amount: 73_125 }),
    });
    expect(status).toBe(200);
    const env = { KEY_MODE: 'test', BANK_URL: stack().bankUrl, DATABASE_URL: stack().databaseUrl };
    const { out } = await runCommand({ tables: [reconcileCommands], args: ['reconcile', '--date', day], env });
    expect(out).toContain(about);
    for (const path of [`/deposits/${day}`, '/deposits']) {
      const { html } = await owner.get(path);
      const rows = html.split('<tr').filter((row) => row.includes('Contracargos'));
      expect({ path, rows }).toEqual({ path, rows: [expect.stringContaining('−$731.25')] });
    }
    const stranger = await signInElsewhere(tested);
    expect((await stranger.browser.get(`/deposits/${day}`)).html).not.toContain('Contracargos');
  });

  /** The merchant's take of a day's settled payments, without those refunded on it, in centavos. */
  async function takeOfPartner(day: string): Promise<bigint> {
    const { organizationId } = stack().merchants;
    let take = 0n;
    for (let offset = 0; ; offset += 100) {
      const path = `/developer/payment?organizationId=${organizationId}&createdAtFrom=${day}&limit=100&offset=${offset}`;
      const { data } = (await partner().send<PartnerList<PartnerPayment>>('GET', path)).body;
      for (const { status, paymentDisbursement } of data) {
        // A payment that was refunded on its own day adds nothing.
        if (status === 'CONFIRMED') take += BigInt(paymentDisbursement.merchantTakeAmount.replace('.', ''));
      }
      if (data.length < 100) return take;
    }
  }

  test('the board has each open hold by the day on which it ends, and a captured one leaves it', async () => {
    const { id } = await charged({ holdFunds: true, amount: 321.5 });
    const onBoard = async () => {
      let { html } = await owner.get('/holds');
      const days = [...html.matchAll(/href="(\/holds\/[\d-]+)"/g)].map(([, href = '']) => href);
      for (let next = days.shift(); next !== undefined;) {
        const page = await owner.get(next);
        html += page.html;
        next = /href="([^"]+)" rel="next"/.exec(page.html)?.[1] ?? days.shift();
      }
      return html.includes(`href="/payments/${id}/capture"`);
    };
    await until('the hold is on the board', onBoard);
    await owner.get(`/payments/${id}/capture`);
    await owner.post(`/payments/${id}/capture`, { amount: '321.50' });
    await until('the hold has left the board', async () => !(await onBoard()));
    expect((await owner.get('/holds/tomorrow')).status).toBe(404);
  });

  test('a card number in the search is refused, and nowhere in the answer', async () => {
    const number = testCards.approved;
    for (const query of [
      `q=${number}`,
      `q=x&q=${number}`,
      'q=4242+4242-4242.4242',
      `status=${number}`,
      `from=${number}`,
    ]) {
      const { status, html } = await owner.get(`/payments?${query}`);
      expect({ query, status }).toEqual({ query, status: 400 });
      expect(html).not.toMatch(/4242\D?4242/);
    }
    expect((await owner.get(`/payments/${number}`)).status).toBe(404);
  });

  test('a refund by double click is one refund, and the timeline names the person', async () => {
    const { id } = await charged({});
    expect((await owner.get(`/payments/${id}`)).html).toContain(`action="/payments/${id}/refund"`);
    const both = await Promise.all([
      owner.post(`/payments/${id}/refund`, { reason: 'Talla equivocada' }),
      owner.post(`/payments/${id}/refund`, { reason: 'Talla equivocada' }),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409]);
    const shown = await owner.get(`/payments/${id}?done=refund`);
    expect(shown.html).toContain('El pago se devolvió.');
    expect(shown.html).toContain('Ana Torres');
    expect(shown.html).not.toContain(`action="/payments/${id}/refund"`);
    const outcomes = await db('dashboard').many<{ outcome: string; status: number | null }>(sql`
      select outcome, status from audit where what = 'payment.refund' and target = ${id} order by id`);
    expect(outcomes.filter(({ outcome }) => outcome === 'asked')).toHaveLength(2);
    expect(outcomes.map(({ status }) => status).filter((status) => status !== null)).toEqual(
      expect.arrayContaining([200, 409]),
    );
  });

  test('a hold is captured in part, and another released', async () => {
    const [captured, released] = [await charged({ holdFunds: true }), await charged({ holdFunds: true })];
    await owner.get(`/payments/${captured.id}/capture`);
    const wrong = await owner.post(`/payments/${captured.id}/capture`, { amount: '60,5' });
    expect(wrong.status).toBe(400);
    const above = await owner.post(`/payments/${captured.id}/capture`, { amount: '100.01' });
    expect(above).toMatchObject({ status: 400, html: expect.stringContaining('CAPTURE_AMOUNT_EXCEEDS_HOLD') });
    const done = await owner.post(`/payments/${captured.id}/capture`, { amount: '$60.50' });
    expect(done.location).toBe(`/payments/${captured.id}?done=capture`);
    await until('what was captured is shown', async () =>
      (await owner.get(`/payments/${captured.id}`)).html.includes('$60.50'),
    );
    await owner.post(`/payments/${released.id}/release`);
    await until('the release is shown', async () =>
      (await owner.get(`/payments/${released.id}?done=release`)).html.includes('La retención se liberó.'),
    );
  });

  test('a refund above 5,000 pesos asks for a second factor of the last minutes, and does nothing before', async () => {
    const { id } = await charged({ amount: 5_000.01 });
    await owner.get(`/payments/${id}/refund`);
    await db('dashboard').run(sql`update session set proved_at = now() - interval '16 minutes'`);
    expect((await owner.post(`/payments/${id}/refund`)).location).toMatch(/^\/confirm\?next=/);
    expect((await owner.get('/payments.csv')).location).toBe('/confirm?next=%2Fpayments.csv');
    expect((await owner.get(`/payments/${id}`)).html).toContain(`action="/payments/${id}/refund"`);
  });

  test('so does what one person refunds above 20,000 pesos on a day; what was refused does not count', async () => {
    const refunder = await signInAs(tested, 'operator');
    const { person_id: personId } = await db('dashboard').one<{ person_id: string }>(sql`
      select person_id from session order by began_at desc limit 1`);
    const stale = () =>
      db('dashboard').run(sql`
      update session set proved_at = now() - interval '16 minutes' where person_id = ${personId}`);
    const made = [];
    for (let i = 0; i < 5; i++) made.push(await charged({ amount: 4_500 }));
    await stale();
    const refund = async ({ id }: Payment) => {
      await refunder.get(`/payments/${id}`);
      return refunder.post(`/payments/${id}/refund`);
    };
    const at = [(await refund(made[0] as Payment)).location];
    expect((await refund(made[0] as Payment)).status).toBe(409);
    for (const payment of made.slice(1, 4)) at.push((await refund(payment)).location);
    expect(at).toEqual(made.slice(0, 4).map(({ id }) => `/payments/${id}?done=refund`));
    const small = await Promise.all([charged({ amount: 1_500 }), charged({ amount: 1_500 })]);
    const both = await Promise.all(small.map(refund));
    expect(both.filter(({ location }) => location?.startsWith('/confirm'))).toHaveLength(1);
    expect((await refund(made[4] as Payment)).location).toMatch(/^\/confirm\?next=/);
    await db('dashboard').run(sql`update session set proved_at = now() where person_id = ${personId}`);
    expect((await refund(made[4] as Payment)).location).toBe(`/payments/${made[4]?.id}?done=refund`);
  });

  test('who only reads sees everything, and no way to change it', async () => {
    const reader = await signInAs(tested, 'read-only');
    const { id } = await charged({});
    const page = await reader.get(`/payments/${id}`);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain('/refund"');
  });
}
