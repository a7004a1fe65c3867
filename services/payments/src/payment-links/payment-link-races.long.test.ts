import { newId } from '@cobro/contracts/ids.ts';
import type { PaymentLink } from '@cobro/contracts/payment-links.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { awake } from '@cobro/testing/awake.ts';
import { approvedCard, declinedCard } from '@cobro/testing/card-numbers.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestPaymentLinks, testPaymentLinks } from '@cobro/testing/test-payment-links.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';

jest.setTimeout(900_000);

let services: RunningServices;
/** The same merchant's links, at two replicas. */
let replicas: readonly [TestPaymentLinks, TestPaymentLinks];
let links: TestPaymentLinks;
beforeAll(async () => {
  services = await startServices({
    services: ['payments', 'holds'],
    env: { BANK_CALL_TIMEOUT_MS: '4000' },
    replicas: { payments: 2 },
  });
  links = await testPaymentLinks(services);
  replicas = [links, await testPaymentLinks(services, { replica: 1 })];
});
afterAll(async () => {
  await untilAgreed({ bankUrl: services.bank.url, payments: services.db('payments'), holds: services.db('holds') });
  await services.stop();
});

const codeOf = ({ status, body }: HttpAnswer) => `${status} ${(body as { code?: string }).code ?? ''}`.trim();
let lastCard = 0;
const aCard = () => approvedCard(50_000 + ++lastCard);
const payAt = (n: number, link: Pick<PaymentLink, 'id'>, card = aCard(), body?: object) =>
  (n % 2 === 0 ? replicas[0] : replicas[1]).pay(link, card, body);
const changeProduct = (id: string, body: object) =>
  links.merchant.call({ method: 'PATCH', path: `/product/${id}`, body });
const salesOf = async (link: Pick<PaymentLink, 'id'>) =>
  services.db('payments').many<{ amount: bigint; status: string }>(sql`
    select amount, status from payment where payment_link_id = ${link.id} and is_initialized and status <> 'CANCELLED'`);
/** Sales that the bank has carried out since. */
const bookedSince = async (before: number) =>
  (await services.bank.operations())
    .slice(before)
    .filter(({ kind, outcome }) => kind === 'sale' && outcome === 'approved');
const booked = async () => (await services.bank.operations()).length;

test('of many who pay at once at two replicas, through two links, each unit of a product goes to one', async () => {
  for (let round = 0; round < (inFull ? 4 : 2); round++) {
    const product = await links.product(3);
    const both = [
      await links.create({ productId: product }),
      await links.create({ productId: product, maxPayments: 2 }),
    ];
    const before = await booked();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        patiently(() =>
          payAt(n >> 1, both[n % 2] as PaymentLink, n % 5 === 4 ? declinedCard(5_000 + round * 16 + n) : aCard()),
        ),
      ),
    );
    const paid = answers.map(codeOf).filter((code) => code === '201').length;
    for (const code of answers.map(codeOf)) {
      expect(['201', '402 CHARGE_DECLINED', '409 PAYMENT_LINK_SOLD_OUT']).toContain(code);
    }
    expect(paid).toBeLessThanOrEqual(3);
    // Units that declined cards had taken meanwhile are free again.
    while ((await links.stockOf(product)) !== 0) {
      for (const link of both) await links.pay(link, aCard());
    }
    const counts = await Promise.all(both.map(async (link) => (await salesOf(link)).length));
    expect(counts[0] ?? 0).toBe(3 - (counts[1] ?? 0));
    for (const [i, link] of both.entries()) expect((await links.get(link)).paymentsCount).toBe(counts[i]);
    expect(await bookedSince(before)).toHaveLength(3);
  }
});

test('who pays while the price changes pays what the page showed, or is asked again', async () => {
  for (let round = 0; round < (inFull ? 12 : 4); round++) {
    const product = round % 2 === 0 ? undefined : await links.product();
    const link = await links.create(product === undefined ? {} : { productId: product });
    const change = () =>
      product === undefined ? links.change(link, { amount: 500 }) : changeProduct(product, { price: 500 });
    const [paid] = await Promise.all([
      patiently(() => payAt(round, link)),
      patiently(() => payAt(round + 1, link)),
      change(),
    ]);
    expect(['201', '409 AMOUNT_CHANGED']).toContain(codeOf(paid));
    expect(new Set((await salesOf(link)).map(({ amount }) => amount))).not.toContain(50_000n);
    expect(codeOf(await links.pay(link, aCard(), { amount: 500 }))).toBe('201');
    expect((await links.get(link)).paymentsCount).toBe((await salesOf(link)).length);
  }
});

test('who pays while the link is switched off, or its product archived, has paid or not: both agree', async () => {
  for (let round = 0; round < (inFull ? 12 : 4); round++) {
    const product = await links.product(1);
    const link = await links.create({ productId: product });
    const off = () =>
      round % 2 === 0 ? links.change(link, { active: false }) : changeProduct(product, { status: 'ARCHIVED' });
    const [answer] = await Promise.all([patiently(() => payAt(round, link)), off()]);
    expect(['201', '409 PAYMENT_LINK_NOT_ACTIVE']).toContain(codeOf(answer));
    const paid = answer.status === 201 ? 1 : 0;
    expect(await salesOf(link)).toHaveLength(paid);
    expect(await links.stockOf(product)).toBe(1 - paid);
    expect(codeOf(await links.pay(link, aCard()))).toBe('409 PAYMENT_LINK_NOT_ACTIVE');
  }
});

test('payers of a link whose row somebody keeps locked leave connections to those of another', async () => {
  const [hot, cold] = [await links.create(), await links.create()];
  const before = await booked();
  const over = new AbortController();
  const waited: HttpAnswer[] = [];
  // Each payer that gives up is followed by another, however long the others take.
  const keepPaying = async (n: number) => {
    while (!over.signal.aborted) waited.push(await payAt(n, hot));
  };
  const payOthers = async () => {
    await until('some of them wait at both replicas', async () => {
      const { count } = await services.db('payments').one<{ count: number }>(sql`
        select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`);
      return count >= 2;
    });
    const others = await Promise.all(Array.from({ length: 8 }, (_, n) => patiently(() => payAt(n, cold))));
    expect(others.map(codeOf)).toEqual(others.map(() => '201'));
    // Their declines have to be written down, too.
    const declined = await patiently(() => payAt(0, cold, declinedCard(9_100)));
    expect(codeOf(declined)).toBe('402 CHARGE_DECLINED');
    expect(await bookedSince(before)).toHaveLength(8);
  };
  await services.db('payments').inTransaction(async (tx) => {
    await tx.one(sql`select id from payment_link where id = ${hot.id} for no key update`);
    const paying = Array.from({ length: 40 }, (_, n) => keepPaying(n));
    const others = payOthers().finally(() => over.abort());
    await awake(tx, Promise.all([others, ...paying]));
  });
  for (const { status } of waited) expect(status).toBe(503);
  expect(codeOf(await patiently(() => payAt(0, hot)))).toBe('201');
  expect(await salesOf(hot)).toHaveLength(1);
  expect(await links.get(hot)).toMatchObject({ paymentsCount: 1 });
  expect(await links.get(cold)).toMatchObject({ paymentsCount: 8 });
});

test('attempts that are sent twice at once while the bank is silent, declines or asks again count once each', async () => {
  const product = await links.product(40);
  const link = await links.create({ productId: product, maxPayments: 30 });
  await services.bank.setFaults({
    rates: { silentNotDone: 0.1, retry: 0.2, drop: 0.1, decline: 0.1 },
    kinds: ['sale'],
    seed: 7,
  });
  const attempts = Array.from({ length: 24 }, () => ({ attemptId: newId(), card: aCard() }));
  await Promise.all(attempts.flatMap(({ attemptId, card }) => [0, 1].map((n) => payAt(n, link, card, { attemptId }))));
  await services.bank.setFaults({});
  await until('every outcome is known', async () => (await salesOf(link)).every(({ status }) => status !== 'PENDING'));
  const sales = await salesOf(link);
  expect(await links.get(link)).toMatchObject({ paymentsCount: sales.length });
  expect(await links.stockOf(product)).toBe(40 - sales.length);
});

test('of many attempts on one link from 64 clients as many pay as it takes', async () => {
  const [attempts, maxPayments] = inFull ? [10_000, 100] : [128, 10];
  const link = await links.create({ maxPayments });
  const before = await booked();
  const codes = new Map<string, number>();
  let begun = 0;
  const client = async (n: number) => {
    while (begun++ < attempts) {
      const code = codeOf(await payAt(n, link));
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 64 }, (_, n) => client(n)));
  const refused = [...codes.keys()].filter((code) => !/^201|^409 PAYMENT_LINK_SOLD_OUT|^503/.test(code));
  expect(refused).toEqual([]);
  // Payers that a crowded machine turned away come again.
  await until('it is sold out', async () => {
    await links.pay(link, aCard());
    return (await links.get(link)).status === 'SOLD_OUT';
  });
  expect(await bookedSince(before)).toHaveLength(maxPayments);
  expect(await links.get(link)).toMatchObject({ paymentsCount: maxPayments });
});
