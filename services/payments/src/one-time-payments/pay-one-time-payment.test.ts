import { testCards } from '@cobro/contracts/test-cards.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestLink, type TestLinks, testLinks } from '@cobro/testing/test-links.ts';
import { approvedCard, withCheckDigit } from '@cobro/testing/card-numbers.ts';
import { until } from '@cobro/testing/until.ts';
import { sql } from '@cobro/postgres/database.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const DAY_MS = 86_400_000;
let services: RunningServices;
let links: TestLinks;
let other: TestLinks;
beforeAll(async () => {
  services = await startServices({
    services: ['payments', 'holds'],
    env: { BANK_CALL_TIMEOUT_MS: '4000' },
    replicas: { payments: 2 },
  });
  links = await testLinks(services);
  other = await testLinks(services, { replica: 1 });
});
afterAll(async () => {
  await untilAgreed({ bankUrl: services.bank.url, payments: services.db('payments'), holds: services.db('holds') });
  await services.stop();
});

const sales = async () => (await services.bank.operations()).filter(({ kind }) => kind === 'sale');
const paymentsOf = ({ id }: { id: string }) =>
  services.db('payments').many<{ status: string; terms: number; type: string; source: string; billing: object }>(sql`
    select status, terms, type, source, billing from payment where one_time_payment_id = ${id} order by created_at`);

describe('paying a one-time payment', () => {
  test('is answered 201, confirms the link and moves the money once, with its terms in the books of the bank', async () => {
    const link = await links.create({ allowedTerms: [1, 3], redirectUrl: 'https://tacuba.example/thanks' });
    const before = (await sales()).length;
    const paid = await links.pay(link, testCards.approved, { terms: 3 });
    expect(paid).toMatchObject({
      status: 201,
      body: {
        id: link.id,
        status: 'CONFIRMED',
        amount: 900,
        currency: 'MXN',
        operationCode: expect.any(Number),
        redirectUrl: 'https://tacuba.example/thanks',
      },
    });
    const booked = await sales();
    expect(booked.length).toBe(before + 1);
    expect(booked.at(-1)).toMatchObject({ amount: 90_000, terms: 3, outcome: 'approved' });
    expect(await paymentsOf(link)).toMatchObject([
      {
        status: 'CONFIRMED',
        terms: 3,
        type: 'CARD_NOT_PRESENT',
        source: 'ONE_TIME_PAYMENT',
        billing: { firstName: 'Ana' },
      },
    ]);
    expect(await links.view(link)).toMatchObject({ status: 200, body: { status: 'CONFIRMED', expired: false } });
    expect(await links.pay(link)).toMatchObject({ status: 409, body: { code: 'ONE_TIME_PAYMENT_NOT_PENDING' } });
    expect(await links.cancel(link)).toMatchObject({ status: 409, body: { code: 'ONE_TIME_PAYMENT_NOT_PENDING' } });
  });

  test('that the bank declines leaves the link as it is, and another card pays it', async () => {
    const link = await links.create();
    const declined = await links.pay(link, testCards.insufficientFunds);
    expect(declined).toMatchObject({
      status: 402,
      body: { code: 'CHARGE_DECLINED', declineCode: 'insufficient_funds', paymentId: expect.any(String) },
    });
    expect(await links.view(link)).toMatchObject({ body: { status: 'PENDING' } });
    expect(await links.pay(link)).toMatchObject({ status: 201 });
    expect((await paymentsOf(link)).map(({ status }) => status)).toEqual(['CANCELLED', 'CONFIRMED']);
  });

  test('that the vault refuses makes no payment', async () => {
    const link = await links.create();
    await services.bank.setFaults({ next: [{ kind: 'tokenize', fault: 'decline' }] });
    expect(await links.pay(link, testCards.captureDeclined)).toMatchObject({
      status: 402,
      body: { code: 'CHARGE_DECLINED', declineCode: 'do_not_honor' },
    });
    expect(await paymentsOf(link)).toEqual([]);
  });

  test('whose outcome is unknown is 202 and resolves; meanwhile nobody else pays or cancels', async () => {
    const link = await links.create();
    const unknown = await links.pay(link, testCards.silentDone);
    expect(unknown).toMatchObject({ status: 202, body: { id: link.id, status: 'PENDING', amount: 900 } });
    expect(unknown.headers.get('location')).toBe(`/api/one-time-payment/${link.id}`);
    expect([200, 409]).toContain((await links.cancel(link)).status);
    await until('the link is confirmed', async () =>
      JSON.stringify((await links.view(link)).body).includes('CONFIRMED'),
    );
    expect((await paymentsOf(link)).map(({ status }) => status)).toEqual(['CONFIRMED']);
  });

  test.each([
    [
      'terms that the link does not allow',
      { terms: 6 },
      'terms: must be one of those that the one-time payment allows: 1',
    ],
    ['no billing information', { billingInformation: null }, 'billingInformation: must be an object'],
    ['no name', { billingInformation: { email: 'a@b.mx' } }, 'billingInformation.firstName: is required'],
    ['an unknown field', { tip: 5 }, 'tip: is not a known field'],
  ])('with %s is 400 and asks nobody', async (_what, body, message) => {
    const link = await links.create();
    const answer = await links.pay(link, testCards.approved, body);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', message: expect.stringContaining(message) },
    });
    expect(await paymentsOf(link)).toEqual([]);
  });

  test('in installments is for credit cards', async () => {
    const link = await links.create({ allowedTerms: [1, 6] });
    const debit = await links.pay(link, testCards.mastercardDebit, { terms: 6 });
    expect(debit).toMatchObject({ status: 409, body: { code: 'TERMS_NOT_AVAILABLE' } });
    expect(await links.pay(link, testCards.mastercardDebit, { terms: 1 })).toMatchObject({ status: 201 });
  });

  test('without a fee channel is 409', async () => {
    const link = await links.create();
    await services.db('payments').run(sql`
      delete from fee_channel where organization_id = ${links.merchant.organizationId} and terms = 1 and type = 'CARD_NOT_PRESENT'`);
    expect(await links.pay(link)).toMatchObject({ status: 409, body: { code: 'FEE_CHANNEL_UNKNOWN' } });
    await services.db('payments').run(sql`
      insert into fee_channel (organization_id, type, terms, fee_bps)
      values (${links.merchant.organizationId}, 'CARD_NOT_PRESENT', 1, 350)`);
    expect(await links.pay(link)).toMatchObject({ status: 201 });
  });

  test('of an unknown link, and of what is no id, is refused', async () => {
    expect(await links.pay({ id: '0199c1d2-0000-7000-8000-000000000001' })).toMatchObject({
      status: 404,
      body: { code: 'ONE_TIME_PAYMENT_NOT_FOUND' },
    });
    expect(await links.pay({ id: '1' })).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });

  test('is refunded in full, once; the link stays confirmed', async () => {
    const link = await links.create();
    expect(await links.refund(link)).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_REFUNDABLE' } });
    await links.pay(link);
    expect(await links.refund(link)).toMatchObject({ status: 200, body: { status: 'REFUNDED', amount: 900 } });
    expect(await links.refund(link)).toMatchObject({ status: 409, body: { code: 'PAYMENT_ALREADY_REFUNDED' } });
    expect(await links.view(link)).toMatchObject({ body: { status: 'CONFIRMED' } });
    expect(await other.refund(link)).toMatchObject({ status: 404 });
  });
});

describe('exactly one payment', () => {
  const racing = 8;

  test('of many people at once, on two replicas', async () => {
    for (let round = 0; round < racing; round++) {
      const link = await links.create();
      const before = (await sales()).length;
      const answers = await Promise.all(
        Array.from({ length: 5 }, (_, i) => (i % 2 === 0 ? links : other).pay(link, approvedCard(i))),
      );
      const codes = answers.map(({ status, body }) => `${status} ${(body as { code?: string }).code ?? ''}`.trim());
      expect(codes.filter((code) => code === '201')).toHaveLength(1);
      for (const code of codes) {
        expect(['201', '409 PAYMENT_IN_PROGRESS', '409 ONE_TIME_PAYMENT_NOT_PENDING']).toContain(code);
      }
      expect((await sales()).length).toBe(before + 1);
    }
  });

  test('or a cancellation, never both', async () => {
    for (let round = 0; round < racing; round++) {
      const link = await links.create();
      const [paid, cancelled] = await Promise.all([other.pay(link), links.cancel(link)]);
      const after = (await links.view(link)).body as { status: string };
      expect(`${paid.status} ${cancelled.status} ${after.status}`).toMatch(/^(201 409 CONFIRMED|409 200 CANCELLED)$/);
    }
  });
});

test('a link expires by the business clock; it can then be cancelled and no longer be paid', async () => {
  const link = await links.create();
  const short = await links.create({ expiresAt: new Date(services.now().getTime() + 60_000).toISOString() });
  await services.moveClock(2 * 60_000);
  expect(await links.view(short)).toMatchObject({ body: { status: 'PENDING', expired: true } });
  expect(await links.pay(short)).toMatchObject({ status: 409, body: { code: 'ONE_TIME_PAYMENT_EXPIRED' } });
  expect(await links.cancel(short)).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
  expect(await links.cancel(short)).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
  await services.moveClock(DAY_MS);
  expect(await links.view(link)).toMatchObject({ body: { expired: true } });
});

test('the sixth decline of a card is 429, over all links', async () => {
  const card = '4000000000000002';
  for (let i = 0; i < 5; i++) {
    expect(await links.pay(await links.create(), card)).toMatchObject({ status: 402 });
  }
  const refused = await links.pay(await links.create(), card);
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await links.pay(await links.create(), testCards.approved)).toMatchObject({ status: 201 });
});

/** Card numbers of one debit issuer, with check digits. */
const debitCard = (n: number) => withCheckDigit(`52008282828${String(n).padStart(4, '0')}`);

describe('an attempt that is refused after the vault has taken the card', () => {
  const triedAt = async (link: TestLink, cards: string[], body: object, address: () => string) => {
    const codes: string[] = [];
    for (const card of cards) {
      const answer = await links.pay(link, card, body, { 'x-forwarded-for': address() });
      codes.push(`${answer.status} ${(answer.body as { code: string }).code}`);
    }
    return codes;
  };
  const repeated = (code: string, times: number) => Array.from({ length: times }, () => code);
  let lastHost = 0;
  const anotherAddress = () => `192.0.2.${++lastHost}`;

  test('counts for its link: 60 debit cards in installments tell of 20 at most that they are good', async () => {
    const link = await links.create({ allowedTerms: [1, 3] });
    const cards = Array.from({ length: 60 }, (_, n) => debitCard(n));
    const codes = await triedAt(link, cards, { terms: 3 }, () => '192.0.2.200');
    expect(codes).toEqual([...repeated('409 TERMS_NOT_AVAILABLE', 20), ...repeated('429 TOO_MANY_ATTEMPTS', 40)]);
    expect(await links.view(link)).toMatchObject({ body: { status: 'PENDING' } });
  });

  test('counts for its card', async () => {
    const link = await links.create({ allowedTerms: [1, 3] });
    const cards = Array.from({ length: 7 }, () => debitCard(9_000));
    const codes = await triedAt(link, cards, { terms: 3 }, anotherAddress);
    expect(codes).toEqual([...repeated('409 TERMS_NOT_AVAILABLE', 5), ...repeated('429 TOO_MANY_ATTEMPTS', 2)]);
  });

  test('counts also where the card has no fee channel', async () => {
    const poor = await testLinks(services);
    const { organizationId } = poor.merchant;
    await services.db('payments').run(sql`delete from fee_channel where organization_id = ${organizationId}`);
    const link = await poor.create();
    const codes = await triedAt(link, repeated(debitCard(9_001), 6), {}, anotherAddress);
    expect(codes).toEqual([...repeated('409 FEE_CHANNEL_UNKNOWN', 5), '429 TOO_MANY_ATTEMPTS']);
  });

  test('does not count where the link was paid or cancelled meanwhile', async () => {
    const card = debitCard(9_002);
    for (let i = 0; i < 7; i++) {
      const link = await links.create();
      const answers = await Promise.all([links.pay(link, card), links.cancel(link)]);
      expect([201, 409]).toContain(answers[0].status);
    }
    expect(await links.pay(await links.create(), card)).toMatchObject({ status: 201 });
  });
});
