import { newId } from '@cobro/contracts/ids.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { declinedCard } from '@cobro/testing/card-numbers.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { formFields, type TestLink, type TestLinks, testLinks, tokenIn } from '@cobro/testing/test-links.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

let services: RunningServices;
let links: TestLinks;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'], env: { BANK_CALL_TIMEOUT_MS: '4000' } });
  links = await testLinks(services);
});
afterAll(async () => {
  await untilAgreed({ bankUrl: services.bank.url, payments: services.db('payments'), holds: services.db('holds') });
  await services.stop();
});

const stateOf = ({ body }: HttpAnswer) => /data-state="([a-z-]+)"/.exec(String(body))?.[1];
/** The form's notice, hidden because it has no text. */
const NO_NOTICE = /id="notice"[^>]* hidden>/;
const sales = async () => (await services.bank.operations()).filter(({ kind }) => kind === 'sale').length;
/** The page that a 303 leads to. */
const follow = (link: TestLink, sent: HttpAnswer) => {
  expect(sent.status).toBe(303);
  const { pathname, search } = new URL(sent.headers.get('location') ?? '', 'http://checkout.example');
  expect(pathname).toBe(`/checkout/${link.id}`);
  return links.page(link, search);
};

describe('the page', () => {
  test('shows who is paid, how much and a form, is kept nowhere and loads nothing of anybody else', async () => {
    const link = await links.create({ description: 'Dos <b>boletos</b>', amount: 1234.5, allowedTerms: [1, 3] });
    const page = await links.page(link, '', { 'accept-language': 'en' });
    expect(page).toMatchObject({ status: 200 });
    expect(stateOf(page)).toBe('form');
    expect(page.body).toContain('Café Tacuba');
    expect(page.body).toContain('1,234.50');
    expect(page.body).toContain('Dos &lt;b&gt;boletos&lt;/b&gt;');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-language')).toBe('en');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(String(page.body).length).toBeLessThan(30_000);
  });

  test('is Spanish unless the browser or the switch says otherwise', async () => {
    const link = await links.create();
    expect((await links.page(link)).headers.get('content-language')).toBe('es');
    expect((await links.page(link, '?lang=en')).headers.get('content-language')).toBe('en');
    expect((await links.page(link, '?lang=es', { 'accept-language': 'en' })).headers.get('content-language')).toBe(
      'es',
    );
  });

  test('of an unknown link, and of what is no id, is a page that says so', async () => {
    for (const id of ['0199c1d2-0000-7000-8000-000000000001', 'no-id']) {
      const page = await links.page({ id });
      expect(page.status).toBe(404);
      expect(stateOf(page)).toBe('not-found');
    }
  });

  test('of a cancelled, an expired and a paid link says that', async () => {
    const [cancelled, paid] = [await links.create(), await links.create()];
    const expired = await links.create({ expiresAt: new Date(services.now().getTime() + 30_000).toISOString() });
    await links.cancel(cancelled);
    await links.pay(paid);
    await services.moveClock(60_000);
    expect(stateOf(await links.page(cancelled))).toBe('cancelled');
    expect(stateOf(await links.page(expired))).toBe('expired');
    const page = await links.page(paid);
    expect(stateOf(page)).toBe('already-paid');
    expect(page.body).not.toContain('Ana');
  });

  test('of a link that is paid while the page is made does not ask for another payment', async () => {
    const link = await links.create();
    await links.pay(link);
    const db = services.db('payments');
    await db.run(sql`update one_time_payment set status = 'PENDING' where id = ${link.id}`);
    const shown = await db.inTransaction(async (tx) => {
      await tx.run(sql`lock table payment in access exclusive mode`);
      const page = links.page(link);
      await until('the page has read the link', async () => {
        const { waits } = await tx.one<{ waits: boolean }>(sql`
          select exists (select from pg_locks where not granted and relation = 'payment'::regclass) as waits`);
        return waits;
      });
      await tx.run(sql`update one_time_payment set status = 'CONFIRMED' where id = ${link.id}`);
      return { page };
    });
    expect(stateOf(await shown.page)).toBe('already-paid');
  });

  test('has its script under a name that never changes its content', async () => {
    const [, source = ''] =
      /<script[^>]* src="([^"]+)"/.exec(String((await links.page(await links.create())).body)) ?? [];
    const ask = (path: string) => services.call('payments', { path, caller: { kind: 'public' } });
    const script = await ask(source);
    expect(script).toMatchObject({ status: 200 });
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await ask('/checkout/assets/other.js')).toMatchObject({ status: 404 });
  });
});

describe('the form', () => {
  test('pays, and leads to a receipt that only this payer sees', async () => {
    const link = await links.create({ allowedTerms: [1, 3], redirectUrl: 'https://tacuba.example/thanks' });
    const receipt = await follow(link, await links.submit(link, { ...formFields(testCards.approved), terms: '3' }));
    expect(stateOf(receipt)).toBe('paid');
    expect(receipt.body).toContain('4242');
    expect(receipt.body).toContain('https://tacuba.example/thanks');
    expect(receipt.body).not.toContain(testCards.approved);
    expect(stateOf(await links.page(link))).toBe('already-paid');
    expect(stateOf(await links.page(link, '?attempt=0199c1d2-0000-7000-8000-000000000001'))).toBe('already-paid');
  });

  test('sent again with its token and card is the same attempt: nothing is charged twice', async () => {
    const link = await links.create();
    const token = tokenIn(await links.page(link));
    const before = await sales();
    const sent = { ...formFields(testCards.approved), token };
    const answers = await Promise.all([links.submit(link, sent), links.submit(link, sent)]);
    const again = await links.submit(link, sent);
    for (const answer of [...answers, again]) expect(answer.status).toBe(303);
    expect(stateOf(await follow(link, again))).toBe('paid');
    expect(await sales()).toBe(before + 1);
  });

  test('after a decline says so, keeps what was typed but the card, and takes another card', async () => {
    const link = await links.create();
    const token = tokenIn(await links.page(link));
    const declined = { ...formFields(testCards.insufficientFunds), token };
    const before = await sales();
    const page = await follow(link, await links.submit(link, declined));
    expect(stateOf(page)).toBe('form');
    expect(page.body).toContain('ana@example.com');
    expect(page.body).not.toContain(testCards.insufficientFunds);
    // The same form again gets the same outcome, and the bank is not asked.
    await links.submit(link, declined);
    expect(await sales()).toBe(before + 1);
    expect(stateOf(await follow(link, await links.submit(link, { ...declined, number: testCards.approved })))).toBe(
      'paid',
    );
  });

  test('sent twice, of which one is declined while the other is at the vault, leads both to that payment', async () => {
    const link = await links.create();
    const fields = { ...formFields(testCards.declined), token: tokenIn(await links.page(link)) };
    // The first to come waits at the vault, and the other overtakes it.
    await services.bank.setFaults({ next: [{ kind: 'tokenize', fault: 'held' }] });
    const sending = [links.submit(link, fields), links.submit(link, fields)] as const;
    await Promise.race(sending);
    await services.bank.setFaults({});
    const both = await Promise.all(sending);
    for (const sent of [...both, await links.submit(link, fields)]) {
      expect(sent.status).toBe(303);
      expect(sent.headers.get('location')).toBe(both[0].headers.get('location'));
      expect(stateOf(await follow(link, sent))).toBe('form');
    }
    const payments = await services.db('payments').many(sql`
      select status from payment where one_time_payment_id = ${link.id}`);
    expect(payments).toEqual([{ status: 'CANCELLED' }]);
  });

  test('with a card that was declined five times says when to come back', async () => {
    const link = await links.create();
    const fields = formFields(declinedCard(700));
    for (let n = 0; n < 5; n++) expect(stateOf(await follow(link, await links.submit(link, fields)))).toBe('form');
    const page = await links.submit(link, fields);
    expect(page.status).toBe(429);
    expect(page.body).toMatch(/demasiados intentos/i);
  });

  test('whose card the vault refuses says so', async () => {
    const link = await links.create();
    await services.bank.setFaults({ next: [{ kind: 'tokenize', fault: 'decline' }] });
    const sent = await links.submit(link, formFields(testCards.approved));
    const page = await follow(link, sent);
    expect(stateOf(page)).toBe('form');
    expect(page.body).not.toMatch(NO_NOTICE);
    // Nobody else can sign a note.
    const forged = await links.page(link, '?attempt=do_not_honor.AAAAAAAAAAAAAAAAAAAAAA');
    expect(forged.body).toMatch(NO_NOTICE);
  });

  test('with faults comes back with them, without number and cvc, and asks nobody', async () => {
    const link = await links.create();
    const before = (await services.bank.operations()).length;
    const page = await links.submit(link, { ...formFields('4242424242424241'), email: 'ana', cvc: '98765' });
    expect(page.status).toBe(400);
    expect(page.body).toContain('aria-invalid="true"');
    expect(page.body).not.toMatch(/42424242|98765/);
    expect((await services.bank.operations()).length).toBe(before);
  });

  test('whose outcome is unknown leads to a page that waits and then shows the receipt', async () => {
    const link = await links.create();
    const sent = await links.submit(link, formFields(testCards.silentDone));
    const first = await follow(link, sent);
    expect(['confirming', 'paid']).toContain(stateOf(first));
    await until('the receipt', async () => stateOf(await follow(link, sent)) === 'paid');
  });

  test('is taken from its own page only', async () => {
    const link = await links.create();
    const fields = formFields(testCards.approved);
    const before = (await services.bank.operations()).length;
    const own = new URL(link.checkoutUrl).origin;
    for (const headers of [{ origin: 'https://evil.example' }, { origin: own, 'sec-fetch-site': 'cross-site' }]) {
      const page = await links.submit(link, fields, headers);
      expect(page.status).toBe(403);
      expect(stateOf(page)).toBe('foreign-origin');
    }
    for (const token of ['', 'x', tokenIn(await links.page(await links.create()))]) {
      const page = await links.submit(link, { ...fields, token });
      expect(page.status).toBe(400);
      expect(stateOf(page)).toBe('form');
    }
    expect((await services.bank.operations()).length).toBe(before);
    expect(await links.submit(link, fields, { origin: own, 'sec-fetch-site': 'same-origin' })).toMatchObject({
      status: 303,
    });
  });

  test('while its organization is not known yet is a page, not JSON, and so is looking at it', async () => {
    const link = await links.create();
    const token = tokenIn(await links.page(link));
    await services.db('payments').run(sql`
      update one_time_payment set organization_id = ${newId()} where id = ${link.id}`);
    for (const page of [
      await links.page(link),
      await links.submit(link, { ...formFields(testCards.approved), token }),
    ]) {
      expect([page.status, stateOf(page)]).toEqual([503, 'unavailable']);
    }
  });

  test('with a byte that is no UTF-8 is refused, because two names would become one', async () => {
    const link = await links.create();
    const before = await sales();
    const token = tokenIn(await links.page(link));
    const fields = new URLSearchParams({ ...formFields(testCards.approved), token }).toString();
    for (const name of ['Jos%E1', 'Jos\xe1']) {
      const body = Buffer.from(fields.replace('firstName=Ana', `firstName=${name}`), 'latin1');
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const path = `/checkout/${link.id}`;
      const caller = { kind: 'public' as const };
      const answer = await services.call('payments', { method: 'POST', path, caller, headers, body });
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    }
    expect(await sales()).toBe(before);
  });

  test('is a form: JSON is 415, and too much of it 413', async () => {
    const link = await links.create();
    const ask = (body: string, type: string) =>
      services.call('payments', {
        method: 'POST',
        path: `/checkout/${link.id}`,
        caller: { kind: 'public' },
        body,
        headers: { 'content-type': type },
      });
    expect(await ask('{}', 'application/json')).toMatchObject({ status: 415 });
    expect(await ask(`a=${'b'.repeat(70_000)}`, 'application/x-www-form-urlencoded')).toMatchObject({ status: 413 });
  });
});
