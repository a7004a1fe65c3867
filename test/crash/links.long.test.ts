import { sql } from '@cobro/postgres/database.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import type { HttpAnswer } from '@cobro/testing/start-services.ts';
import { approvedCard, declinedCard } from '@cobro/testing/card-numbers.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { type TestPaymentLinks, testPaymentLinks } from '@cobro/testing/test-payment-links.ts';
import { type TestLink, type TestLinks, testLinks } from '@cobro/testing/test-links.ts';
import { type TestSubscriptions, testSubscriptions } from '@cobro/testing/test-subscriptions.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type CrashStack, startCrashStack, untilFinal } from './crash-stack.ts';
import { anotherCard } from './another-card.ts';
import { everyPoint, pointsUpTo } from './points.ts';

jest.setTimeout(900_000);

let stack: CrashStack;
let links: TestLinks;
let paymentLinks: TestPaymentLinks;
let subs: TestSubscriptions;
beforeAll(async () => {
  stack = await startCrashStack();
  links = await testLinks(stack.services);
  paymentLinks = await testPaymentLinks(stack.services);
  subs = await testSubscriptions(stack.services);
});
afterAll(() => stack?.stop());

const codeOf = ({ status, body }: HttpAnswer) => `${status} ${(body as { code?: string }).code ?? ''}`.trim();

/** Tries until the link is paid: by the attempt that died, once its outcome is known, or by this one. */
async function payAtLast(link: TestLink): Promise<string> {
  let last = '';
  const seen = () => `the link is paid: ${last}`;
  await until(seen, async () => {
    last = codeOf(await links.pay(link, anotherCard()));
    return last === '201' || last === '409 ONE_TIME_PAYMENT_NOT_PENDING';
  });
  return last;
}

test('payments dies at each commit and call of an attempt to pay a link: it is paid once, and all books agree', async () => {
  const died: TestLink[] = [];
  for (let round = 0; round < (inFull ? 3 : 1); round++) {
    const points = await everyPoint(async (point) => {
      const link = await links.create();
      const hasDied = await stack.dies('payments', point, (headers) =>
        links.pay(link, anotherCard(), undefined, headers),
      );
      if (hasDied) died.push(link);
      return hasDied;
    });
    // The vault and the sale; the claim and the settling.
    expect(points).toEqual(expect.arrayContaining(['call:1:sent', 'call:2:sent', 'commit:1:after', 'commit:2:after']));
  }
  for (const link of died) await payAtLast(link);
  await stack.agree();
  for (const link of died) {
    expect(await links.view(link)).toMatchObject({ body: { status: 'CONFIRMED' } });
    const confirmed = await stack.services.db('payments').many(sql`
      select from payment where one_time_payment_id = ${link.id} and status = 'CONFIRMED'`);
    expect(confirmed).toHaveLength(1);
  }
});

test('payments dies at each commit and call of an attempt to pay a payment link: the last unit is sold once, or is there again', async () => {
  let last = 0;
  const sold: { attemptId: string; card: string; link: { id: string }; product: string }[] = [];
  for (let round = 0; round < (inFull ? 3 : 1); round++) {
    const points = await everyPoint(async (point) => {
      const product = await paymentLinks.product(1);
      const link = await paymentLinks.create({ productId: product, maxPayments: 1 });
      const [attemptId, card] = [crypto.randomUUID(), approvedCard(70_000 + ++last)];
      const hasDied = await stack.dies('payments', point, (headers) =>
        paymentLinks.pay(link, card, { attemptId }, headers),
      );
      if (hasDied) sold.push({ attemptId, card, link, product });
      return hasDied;
    });
    // The vault and the sale; the claim and the settling.
    expect(points).toEqual(expect.arrayContaining(['call:1:sent', 'call:2:sent', 'commit:1:after', 'commit:2:after']));
  }
  for (const { link, card, attemptId, product } of sold) {
    // The same attempt again, or another one if the bank never saw the first.
    await until('the payment link is sold out, and paid', async () => {
      const code = codeOf(await paymentLinks.pay(link, card, { attemptId }));
      if (code === '402 CHARGE_DECLINED')
        return codeOf(await paymentLinks.pay(link, approvedCard(80_000 + ++last))) === '201';
      return code === '201';
    });
    expect(await paymentLinks.get(link)).toMatchObject({ status: 'SOLD_OUT', paymentsCount: 1 });
    expect(await paymentLinks.stockOf(product)).toBe(0);
    const confirmed = await stack.services.db('payments').many(sql`
      select from payment where payment_link_id = ${link.id} and status = 'CONFIRMED'`);
    expect(confirmed).toHaveLength(1);
  }
  await stack.agree();
});

testInFull(
  'payments dies at each commit and call of an attempt that the bank declines: the unit is there again, once',
  async () => {
    let last = 0;
    const tried: { attemptId: string; card: string; link: { id: string }; product: string }[] = [];
    for (let round = 0; round < 3; round++) {
      await everyPoint(async (point) => {
        const product = await paymentLinks.product(1);
        const link = await paymentLinks.create({ productId: product, maxPayments: 1 });
        const [attemptId, card] = [crypto.randomUUID(), declinedCard(60_000 + ++last)];
        const hasDied = await stack.dies('payments', point, (headers) =>
          paymentLinks.pay(link, card, { attemptId }, headers),
        );
        if (hasDied) tried.push({ attemptId, card, link, product });
        return hasDied;
      });
    }
    expect(tried.length).toBeGreaterThan(2);
    for (const { link, card, attemptId, product } of tried) {
      const again = await untilFinal(() => paymentLinks.pay(link, card, { attemptId }));
      expect(codeOf(again)).toBe('402 CHARGE_DECLINED');
      expect(await paymentLinks.get(link)).toMatchObject({ status: 'ACTIVE', paymentsCount: 0 });
      expect(await paymentLinks.stockOf(product)).toBe(1);
    }
    await stack.agree();
  },
);

testInFull(
  'payments dies at each commit of making a product and of changing its stock: sent again, each counts once',
  async () => {
    const { merchant } = paymentLinks;
    const made: string[] = [];
    const changed: { id: string; change: () => Promise<HttpAnswer> }[] = [];
    const makings = await everyPoint(async (point) => {
      const externalId = crypto.randomUUID();
      const body = { name: 'Talavera', price: 350, stock: 5, externalId };
      const hasDied = await stack.dies('payments', point, (headers) =>
        merchant.call({ method: 'POST', path: '/product', body, headers }),
      );
      if (hasDied) made.push(externalId);
      return hasDied;
    });
    const changes = await everyPoint(async (point) => {
      const id = await paymentLinks.product(5);
      const change = (headers: Record<string, string> = {}) =>
        merchant.call({ method: 'POST', path: `/product/${id}/stock`, body: { change: -2, externalId: id }, headers });
      const hasDied = await stack.dies('payments', point, change);
      if (hasDied) changed.push({ id, change });
      return hasDied;
    });
    expect(makings).toContain('commit:1:after');
    expect(changes).toContain('commit:1:after');
    for (const externalId of made) {
      const body = { name: 'Talavera', price: 350, stock: 5, externalId };
      const send = () => merchant.call({ method: 'POST', path: '/product', body });
      await until('the product is there', async () => (await send()).status === 201);
      const rows = await stack.services.db('payments').many(sql`select from product where external_id = ${externalId}`);
      expect(rows).toHaveLength(1);
    }
    for (const { id, change } of changed) {
      await until('the stock is changed', async () => (await change()).status === 201);
      expect(await paymentLinks.stockOf(id)).toBe(3);
    }
  },
);

testInFull(
  'payments dies at each commit and call of making a subscription: sent again, it is one, charged once',
  async () => {
    const made: object[] = [];
    const { id: paymentMethodId } = await subs.card(approvedCard(91_000));
    for (let round = 0; round < 3; round++) {
      const points = await everyPoint(async (point) => {
        const body = { paymentMethodId, externalId: crypto.randomUUID() };
        const hasDied = await stack.dies('payments', point, (headers) => subs.post(body, headers));
        if (hasDied) made.push(body);
        return hasDied;
      });
      expect(points).toEqual(expect.arrayContaining(['call:1:sent', 'commit:1:after', 'commit:2:after']));
    }
    for (const body of made) {
      const answer = await untilFinal(() => subs.post(body));
      // If the process died before the call, the bank never saw it.
      expect(['201', '402 CHARGE_DECLINED']).toContain(codeOf(answer));
      const { id, subscriptionId = id } = answer.body as { id: string; subscriptionId?: string };
      const payments = await subs.payments({ id: subscriptionId });
      expect(payments.map(({ status }) => status)).toEqual([answer.status === 201 ? 'CONFIRMED' : 'CANCELLED']);
    }
    await stack.agree();
  },
);

test('payments dies at each commit and call of a renewal: it is charged once', async () => {
  const renewed: { id: string }[] = [];
  for (let round = 0; round < (inFull ? 3 : 1); round++) {
    for (const point of pointsUpTo({ commit: 2, call: 1 })) {
      const firstBillingDate = new Date(stack.services.now().getTime() + 86_400_000).toISOString().slice(0, 10);
      const made = await subs.create({ firstBillingDate });
      const statement = String.raw`/\* claim \*/[\s\S]*period_number`;
      await stack.diesTrapped({ service: 'payments', statement, point }, () =>
        subs.moveTo(`${firstBillingDate}T08:00:00-06:00`),
      );
      renewed.push(made);
    }
  }
  for (const { id } of renewed) {
    await until('it is paid', async () => (await subs.payments({ id })).some(({ status }) => status === 'CONFIRMED'));
  }
  await stack.agree();
  for (const { id } of renewed) {
    const standing = (await subs.payments({ id })).filter(({ status }) => status !== 'CANCELLED');
    expect(standing.map(({ number }) => number)).toEqual([1]);
  }
});
