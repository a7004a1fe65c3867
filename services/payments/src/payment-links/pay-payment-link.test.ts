import { newId } from '@cobro/contracts/ids.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { approvedCard, declinedCard } from '@cobro/testing/card-numbers.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { formFields, tokenIn } from '@cobro/testing/test-links.ts';
import { type TestPaymentLinks, testPaymentLinks } from '@cobro/testing/test-payment-links.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

let services: RunningServices;
let links: TestPaymentLinks;
let other: TestPaymentLinks;
beforeAll(async () => {
  services = await startServices({
    services: ['payments', 'holds'],
    env: { BANK_CALL_TIMEOUT_MS: '8000' },
    replicas: { payments: 2 },
  });
  links = await testPaymentLinks(services);
  other = await testPaymentLinks(services, { replica: 1 });
});
afterAll(async () => {
  await untilAgreed({ bankUrl: services.bank.url, payments: services.db('payments'), holds: services.db('holds') });
  await services.stop();
});

const sales = async () => (await services.bank.operations()).filter(({ kind }) => kind === 'sale').length;
const codeOf = ({ status, body }: HttpAnswer) => `${status} ${(body as { code?: string }).code ?? ''}`.trim();
const idOf = ({ body }: HttpAnswer) => (body as { id: string }).id;
let lastDeclined = 100;
async function declines(link: { id: string }, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    expect(codeOf(await links.pay(link, declinedCard(++lastDeclined)))).toBe('402 CHARGE_DECLINED');
  }
}
/** Counts the faults of `next` that no operation has met yet. */
async function faultsToCome(): Promise<number> {
  const settings = await fetch(`${services.bank.url}/faults`);
  return ((await settings.json()) as { next: unknown[] }).next.length;
}

describe('paying a payment link', () => {
  test('is answered 201, as often as people pay, and each payment is in the list of the link', async () => {
    const link = await links.create({ allowedTerms: [1, 3], redirectUrl: 'https://yoga.example/thanks' });
    const paid = await links.pay(link, testCards.approved, { terms: 3 });
    expect(paid).toMatchObject({
      status: 201,
      body: {
        id: expect.any(String),
        status: 'CONFIRMED',
        amount: 350,
        currency: 'MXN',
        operationCode: expect.any(Number),
        redirectUrl: 'https://yoga.example/thanks',
      },
    });
    const again = await other.pay(link, approvedCard(2));
    expect((await services.bank.operations()).slice(-2)).toMatchObject([
      { kind: 'tokenize' },
      { kind: 'sale', amount: 35_000, terms: 1, outcome: 'approved' },
    ]);
    const { count, items } = await links.payments(link);
    expect({ count, ids: items.map(({ id }) => id) }).toEqual({ count: 2, ids: [idOf(again), idOf(paid)] });
    expect(await links.get(link)).toMatchObject({ status: 'ACTIVE', paymentsCount: 2 });
    expect(
      await services.db('payments').one(sql`
        select source, type, terms, description, billing ->> 'firstName' as name from payment where id = ${idOf(paid)}`),
    ).toEqual({
      source: 'PAYMENT_LINK',
      type: 'CARD_NOT_PRESENT',
      terms: 3,
      description: 'Clase de yoga',
      name: 'Ana',
    });
  });

  test('that the bank declines gives the place back; the vault’s refusal makes no payment', async () => {
    const link = await links.create({ maxPayments: 1 });
    const declined = await links.pay(link, testCards.insufficientFunds);
    expect(declined).toMatchObject({
      status: 402,
      body: { code: 'CHARGE_DECLINED', declineCode: 'insufficient_funds', paymentId: expect.any(String) },
    });
    expect(await links.get(link)).toMatchObject({ status: 'ACTIVE', paymentsCount: 0 });
    await services.bank.setFaults({ next: [{ kind: 'tokenize', fault: 'decline' }] });
    const refused = await links.pay(link, approvedCard(3));
    expect(refused).toMatchObject({ status: 402, body: { code: 'CARD_DECLINED', declineCode: 'do_not_honor' } });
    expect((await links.payments(link)).count).toBe(1);
    expect(codeOf(await links.pay(link, approvedCard(4)))).toBe('201');
    expect(codeOf(await links.pay(link, approvedCard(5)))).toBe('409 PAYMENT_LINK_SOLD_OUT');
  });

  test('by a form that is declined keeps what was typed for a quarter of an hour, because addresses are passed on', async () => {
    const link = await links.create();
    const form = {
      ...formFields(testCards.insufficientFunds),
      amount: '35000',
      token: tokenIn(await links.page(link)),
    };
    const { headers } = await links.submit(link, form);
    const { search } = new URL(headers.get('location') ?? '', 'http://checkout.example');
    expect((await links.page(link, search)).body).toContain('ana@example.com');
    await services.moveClock(15 * 60_000);
    const later = await links.page(link, search);
    expect(later.body).toContain('data-state="form"');
    expect(later.body).not.toContain('ana@example.com');
  });

  test('whose outcome is unknown is 202 with the place taken, and its attempt is read until it is known', async () => {
    const product = await links.product(1);
    const link = await links.create({ productId: product, maxPayments: 5 });
    const [done, notDone] = [newId(), newId()];
    const unknown = await links.pay(link, testCards.silentNotDone, { attemptId: notDone });
    expect(unknown).toMatchObject({ status: 202, body: { status: 'PENDING', amount: 350 } });
    expect(unknown.headers.get('location')).toBe(`/api/payment-link/${link.id}/attempt/${notDone}`);
    const last = async (attemptId: string) => codeOf(await links.attempt(link, attemptId));
    await until('it came to nothing', async () => (await last(notDone)) === '402 CHARGE_DECLINED');
    expect(await links.get(link)).toMatchObject({ status: 'ACTIVE', paymentsCount: 0 });
    expect(await links.stockOf(product)).toBe(1);

    expect(await links.pay(link, testCards.silentDone, { attemptId: done })).toMatchObject({ status: 202 });
    expect(await links.attempt(link, done)).toMatchObject({ status: 200, body: { id: expect.any(String) } });
    await until('it is confirmed', async () =>
      JSON.stringify((await links.attempt(link, done)).body).includes('CONFIRMED'),
    );
    expect(await links.get(link)).toMatchObject({ status: 'SOLD_OUT', paymentsCount: 1 });
    expect(await links.stockOf(product)).toBe(0);
    expect(await last(newId())).toBe('404 ATTEMPT_NOT_FOUND');
  });

  test('is refunded in full, once, and nothing is given back', async () => {
    const product = await links.product(3);
    const link = await links.create({ productId: product, maxPayments: 2 });
    const paid = await links.pay(link, approvedCard(6));
    expect(await links.refund(link, idOf(paid))).toMatchObject({
      status: 200,
      body: { status: 'REFUNDED', amount: 350 },
    });
    expect(codeOf(await links.refund(link, idOf(paid)))).toBe('409 PAYMENT_ALREADY_REFUNDED');
    expect(await links.get(link)).toMatchObject({ paymentsCount: 1 });
    expect(await links.stockOf(product)).toBe(2);
    expect(codeOf(await links.refund(await links.create(), idOf(paid)))).toBe('404 PAYMENT_NOT_FOUND');
    expect(codeOf(await other.refund(link, idOf(paid)))).toBe('404 PAYMENT_LINK_NOT_FOUND');
  });
});

describe('the same attempt', () => {
  test('sent again is the same payment, also at once on two replicas, and after a decline', async () => {
    for (const card of [approvedCard(7), testCards.insufficientFunds]) {
      const link = await links.create({ maxPayments: 1 });
      const attempt = { attemptId: newId() };
      const before = await sales();
      const sent = await Promise.all([links, other, links].map((by) => by.pay(link, card, attempt)));
      const answers = [...sent, await other.pay(link, card, { attemptId: attempt.attemptId.toUpperCase() })];
      const status = card === testCards.insufficientFunds ? 402 : 201;
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));
      const { items } = await links.payments(link);
      expect(items).toHaveLength(1);
      const named = answers.map((answer) => (answer.body as { paymentId?: string }).paymentId ?? idOf(answer));
      expect(new Set(named)).toEqual(new Set(items.map(({ id }) => id)));
      expect(await sales()).toBe(before + 1);
      expect(answers.at(-1)?.headers.get('idempotent-replayed')).toBe('true');
    }
  });

  test('with another card, amount or terms is 409, and charges nothing', async () => {
    const link = await links.create({ allowedTerms: [1, 3] });
    const attemptId = newId();
    await links.pay(link, approvedCard(8), { attemptId });
    const before = await sales();
    for (const [card, body] of [
      [approvedCard(9), {}],
      [approvedCard(8), { terms: 3 }],
      [approvedCard(8), { amount: 351 }],
    ] as const) {
      expect(codeOf(await links.pay(link, card, { attemptId, ...body }))).toBe('409 ATTEMPT_MISMATCH');
    }
    expect(await sales()).toBe(before);
    expect(codeOf(await links.pay(await links.create(), approvedCard(9), { attemptId }))).toBe('201');
  });

  test('with many good cards at once charges one, and tells nobody of the others without counting as a decline', async () => {
    const link = await links.create();
    await declines(link, 45);
    const attemptId = newId();
    const before = await sales();
    await services.bank.setFaults({ next: Array.from({ length: 6 }, () => ({ kind: 'tokenize', fault: 'held' })) });
    const sent = Promise.all(
      Array.from({ length: 6 }, (_, n) => links.pay(link, approvedCard(20_000 + n), { attemptId })),
    );
    await until('all are at the vault', async () => (await faultsToCome()) === 0);
    await services.bank.setFaults({});
    const codes = (await sent).map(codeOf);
    expect(codes.filter((code) => code === '201')).toHaveLength(1);
    expect(codes.filter((code) => code === '409 ATTEMPT_MISMATCH')).toHaveLength(5);
    expect(await sales()).toBe(before + 1);
    expect(codeOf(await links.pay(link, approvedCard(20_100)))).toBe('429 TOO_MANY_ATTEMPTS');
  });

  test('that was not sent gives its place back, and is free also for another card', async () => {
    const link = await links.create({ maxPayments: 1 });
    const attemptId = newId();
    await services.bank.setFaults({ next: [{ kind: 'sale', fault: 'retry' }] });
    expect(codeOf(await links.pay(link, approvedCard(10), { attemptId }))).toBe('503 BANK_UNAVAILABLE');
    expect(await links.get(link)).toMatchObject({ paymentsCount: 0, status: 'ACTIVE' });
    expect(codeOf(await links.attempt(link, attemptId))).toBe('404 ATTEMPT_NOT_FOUND');
    expect(codeOf(await links.pay(link, approvedCard(11), { attemptId }))).toBe('201');
    expect(await links.get(link)).toMatchObject({ paymentsCount: 1, status: 'SOLD_OUT' });
  });
});

describe('a payment link is refused, in this order', () => {
  test.each([
    ['terms that it does not allow', { terms: 6 }, 'terms: must be one of those that the payment link allows: 1'],
    ['no attemptId', { attemptId: null }, 'attemptId: must be a UUID'],
    ['no amount', { amount: null }, 'amount: must be a number'],
    ['no name', { billingInformation: { email: 'a@b.mx' } }, 'billingInformation.firstName: is required'],
  ])('with %s: 400', async (_what, body, message) => {
    const link = await links.create();
    await links.change(link, { active: false });
    expect(await links.pay(link, undefined, body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', message: expect.stringContaining(message) },
    });
  });

  test('switched off, expired, sold out, at another price: 409', async () => {
    const expiresAt = new Date(services.now().getTime() + 60_000).toISOString();
    const link = await links.create({ expiresAt, maxPayments: 1 });
    await links.pay(link, approvedCard(12));
    const next = async () => codeOf(await links.pay(link, approvedCard(13), { amount: 1 }));
    expect(await next()).toBe('409 PAYMENT_LINK_SOLD_OUT');
    await services.moveClock(120_000);
    expect(await next()).toBe('409 PAYMENT_LINK_EXPIRED');
    expect(await links.get(link)).toMatchObject({ status: 'EXPIRED' });
    await links.change(link, { active: false });
    expect(await next()).toBe('409 PAYMENT_LINK_NOT_ACTIVE');
    expect(await links.get(link)).toMatchObject({ status: 'INACTIVE' });
    await links.change(link, { active: true, maxPayments: 2, expiresAt: '2030-01-01T00:00:00Z' });
    expect(await next()).toBe('409 AMOUNT_CHANGED');
    expect(codeOf(await links.pay(link, approvedCard(13)))).toBe('201');
  });

  test('switched off, also by a form that is old or wrong: the page says so, and no price', async () => {
    const link = await links.create({ amount: 1_234.5 });
    const form = { ...formFields(approvedCard(14)), amount: '123450', token: tokenIn(await links.page(link)) };
    await links.change(link, { active: false });
    for (const fields of [{}, { ...form, email: 'nobody' }, form]) {
      const { status, headers } = await links.submit(link, fields);
      expect(status).toBe(303);
      const page = await links.page(link, new URL(headers.get('location') ?? '', 'http://checkout.example').search);
      expect(page.body).toContain('data-state="inactive"');
      expect(page.body).not.toContain('1,234.50');
    }
  });

  test('installments: for credit cards, from 100 pesos a month, 18 not with American Express', async () => {
    const link = await links.create({ amount: 1_800, allowedTerms: [1, 3, 18] });
    const pay = async (card: string, terms: number, amount = 1_800) =>
      codeOf(await links.pay(link, card, { terms, amount }));
    const no = '409 TERMS_NOT_AVAILABLE';
    expect(await pay(testCards.mastercardDebit, 3)).toBe(no);
    expect(await pay(testCards.amexCredit, 18)).toBe(no);
    expect(await pay(testCards.amexCredit, 3)).toBe('201');
    expect(await pay(testCards.approved, 18)).toBe('201');
    await links.change(link, { amount: 1_799.99 });
    expect(await pay(testCards.approved, 18, 1_799.99)).toBe(no);
    expect(await pay(testCards.approved, 3, 1_799.99)).toBe('201');
  });

  test('after five declines of a card, over all links, before its state is looked at: 429', async () => {
    const card = '4000000000000002';
    const link = await links.create();
    for (let n = 0; n < 5; n++) expect(codeOf(await links.pay(link, card))).toBe('402 CHARGE_DECLINED');
    const off = await links.create();
    await links.change(off, { active: false });
    const refused = await links.pay(off, card);
    expect(codeOf(refused)).toBe('429 TOO_MANY_ATTEMPTS');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(codeOf(await links.pay(link, approvedCard(15)))).toBe('201');
  });

  test('after fifty declines on the link: 429', async () => {
    const link = await links.create();
    await declines(link, 50);
    expect(codeOf(await links.pay(link, approvedCard(16)))).toBe('429 TOO_MANY_ATTEMPTS');
    expect(codeOf(await links.pay(await links.create(), approvedCard(16)))).toBe('201');
  });
});
