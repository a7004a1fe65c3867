import type { TerminalItem } from '@cobro/contracts/payment-intents.ts';
import type { DisbursementExplained } from '@cobro/contracts/reports.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { payer } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '../../dev/seed/run-command.ts';
import { createTerminal } from '../../dev/stack/create-terminal.ts';
import type { Client } from './client.ts';
import { signInAtShop, signInElsewhere } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';
import { payNext } from './tap.ts';

/** Terminals, the calculator and the news, in a separate organization. */
export function dashboardTill(tested: StackUnderTest): void {
  const { stack } = tested;
  let owner: TestBrowser;
  let merchant: Client;
  let organizationId = '';
  beforeAll(async () => {
    ({ browser: owner, organizationId, shop: merchant } = await signInAtShop(tested));
  });

  const terminal = async (): Promise<TerminalItem | undefined> =>
    (await merchant.send<{ items: TerminalItem[] }>('GET', '/terminal')).body.items[0];
  const formId = async () => (await owner.get('/terminals')).formId;

  test('an amount is sent to a terminal once, is paid there, and the tile says so; another one is cancelled', async () => {
    expect((await owner.get('/terminals')).html).toContain(`terminals create --organization ${organizationId}`);
    const code = 'CAJA-1';
    const { key } = await createTerminal(stack().databaseUrl, { organizationId, code });
    const sent = { terminal: code, amount: '185.50', formId: await formId() };
    const both = await Promise.all([owner.post('/terminals', sent), owner.post('/terminals', sent)]);
    expect(both.map(({ location }) => location)).toEqual(Array(2).fill('/terminals?done=sent'));
    const { openIntent } = (await terminal()) as TerminalItem;
    const waiting = await owner.get('/terminals?done=sent');
    for (const shown of ['El importe está en la terminal.', '$185.50', 'Esperando la tarjeta', code]) {
      expect(waiting.html).toContain(shown);
    }
    const tapped = await payNext(stack(), key);
    expect(tapped.status).toBe(201);
    const { lastOutcome, openIntent: none } = (await terminal()) as TerminalItem;
    expect([lastOutcome?.outcome, none]).toEqual(['CONFIRMED', null]);
    const done = await owner.get('/terminals');
    expect(done.html).toContain(`href="/payments/${lastOutcome?.paymentId}"`);
    expect(done.html).toContain('Sin cobro pendiente');

    await owner.post('/terminals', { ...sent, amount: '90', formId: await formId() });
    const intent = (await terminal())?.openIntent?.id ?? '';
    await owner.get('/terminals');
    expect((await owner.post('/terminals/cancel', { intent })).location).toBe('/terminals?done=cancelled');
    expect((await terminal())?.openIntent).toBeNull();
    const late = await owner.post('/terminals/cancel', { intent: openIntent?.id ?? '' });
    expect(late).toMatchObject({ status: 409, html: expect.stringContaining('Ese cobro ya terminó') });
  });

  test.each([
    [{ amount: 'x' }, 400, 'El importe no es válido'],
    [{ formId: crypto.randomUUID() }, 409, 'FORM_TOO_OLD'],
    [{ terminal: 'NO-SUCH' }, 404, 'TERMINAL_NOT_FOUND'],
  ])('an amount with %j is refused in words, and nothing is sent', async (over, status, said) => {
    const refused = await owner.post('/terminals', {
      terminal: 'CAJA-1',
      amount: '1',
      formId: await formId(),
      ...over,
    });
    expect(refused).toMatchObject({ status, html: expect.stringContaining(said) });
    expect((await terminal())?.openIntent).toBeNull();
  });

  test('the calculator promises what a charge at these terms disburses, and its link is the form filled in', async () => {
    const fees = [
      ['--terms', '1', '--fee', '2.9', '--network', 'VISA'],
      ['--terms', '3', '--fee', '8.35', '--discount', '1.1'],
      ['--terms', '12', '--fee', '17.9', '--take', '2.5'],
    ];
    for (const fee of fees)
      await runCommand(stack().databaseUrl, 'fees', 'set', '--organization', organizationId, ...fee);
    const { html: table } = await owner.get('/fees');
    for (const fee of ['2.90 %', '8.35 %', '1.10 %', '17.90 %', '2.50 %']) expect(table).toContain(fee);
    const amount = 1_499.37;
    const { html } = await owner.get(`/calculator?amount=${amount}&network=VISA&fundingSource=CREDIT`);
    const promised = new Map(
      [...html.matchAll(/data-take="(\d+)"><span class="number">\$([\d,.]+)</g)].map(([, terms, take = '']) => [
        Number(terms),
        Number(take.replaceAll(',', '')),
      ]),
    );
    expect([...promised.keys()]).toEqual([1, 3, 6, 9, 12]);
    for (const terms of [1, 3, 12]) {
      const href = `/links/new?amount=${amount}&amp;terms=${terms}`;
      expect(html).toContain(href);
      const { html: form, formId: id } = await owner.get(href.replace('&amp;', '&'));
      expect(form).toContain(`value="${amount}"`);
      expect(form.match(/value="(\d+)" checked/g)).toEqual([`value="${terms}" checked`]);
      const fields = { formId: id, amount: String(amount), description: 'Boletos', terms: String(terms), days: '1' };
      const link = (await owner.post('/links/new', fields)).location?.slice(7, 43) ?? '';
      expect(await takeOf(await paid(link, terms))).toBe(promised.get(terms));
    }
  });

  async function paid(link: string, terms: number): Promise<string> {
    const body = { card: cardBody(), terms, billingInformation: payer };
    expect((await merchant.send('POST', `/one-time-payment/${link}/payment`, { body })).status).toBe(201);
    const { body: record } = await merchant.send<{ payment: { id: string } }>(
      'GET',
      `/one-time-payment/${link}/record`,
    );
    return record.payment.id;
  }

  async function takeOf(paymentId: string): Promise<number | undefined> {
    const path = `/report/payment/${paymentId}/disbursement`;
    await until('reporting follows', async () => (await merchant.send('GET', path)).status === 200);
    const { body } = await merchant.send<DisbursementExplained>('GET', path);
    return body.steps.find(({ step }) => step === 'TAKE')?.amount;
  }

  test('news says what happened to what, and nothing more, and is no activity of the person', async () => {
    const poll = { 'x-poll': 'yes' };
    const news = async (after?: string) => {
      const { status, html } = await owner.get(`/news${after === undefined ? '' : `?after=${after}`}`, poll);
      expect(status).toBe(200);
      return JSON.parse(html) as { news: { type: string; id: string }[]; after: string };
    };
    await tested.db('dashboard').run(sql`update session set seen_at = now() - interval '20 minutes'`);
    const { after } = await news();
    const waiting = news(after);
    const { id } = (await merchant.charge(await merchant.saveCard(), {})).body;
    let seen = (await waiting).news;
    for (let last = after; !seen.some((one) => one.id === id);) ({ news: seen, after: last } = await news(last));
    expect(seen).toContainEqual({ type: 'payment.confirmed', id });
    for (const one of seen) expect(Object.keys(one)).toEqual(['type', 'id']);
    const idle = async () =>
      (await tested.db('dashboard').many(sql`select from session where seen_at < now() - interval '19 minutes'`))
        .length;
    const before = await idle();
    expect(before).toBeGreaterThan(0);
    expect((await owner.get('/news?after=x', poll)).status).toBe(400);
    expect(await idle()).toBe(before);
    await owner.get('/terminals');
    expect(await idle()).toBe(before - 1);
  });

  test('where nothing has happened yet, the first that happens is news', async () => {
    const { browser } = await signInElsewhere(tested);
    const newsOf = async (query: string) => JSON.parse((await browser.get(`/news${query}`)).html) as object;
    expect(await newsOf('')).toEqual({ news: [], after: 'beginning' });
    const waits = Array.from({ length: 5 }, () => browser.get('/news?after=beginning'));
    expect((await Promise.race(waits)).status).toBe(429);
    const { formId: own } = await browser.get('/links/new');
    const form = { formId: own, amount: '10', description: 'Pan', terms: '1', days: '1' };
    const id = (await browser.post('/links/new', form)).location?.slice(7, 43) ?? '';
    await browser.post(`/links/${id}/cancel`);
    const told = (await Promise.all(waits)).filter(({ status }) => status === 200);
    expect(told).toHaveLength(4);
    for (const { html } of told) {
      expect(JSON.parse(html)).toMatchObject({ news: [{ type: 'one_time_payment.cancelled', id }] });
    }
  });
}
