import { centavosOf } from '@cobro/contracts/amount.ts';
import type { PartnerList, PartnerPayment } from '@cobro/contracts/partner-payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { approvedCard } from '@cobro/testing/card-numbers.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { partner as partnerCaller } from '@cobro/testing/test-facts.ts';
import { type TestPaymentLinks, testPaymentLinks } from '@cobro/testing/test-payment-links.ts';
import { type TestPromotions, testPromotions } from '@cobro/testing/test-promotions.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';

jest.setTimeout(900_000);

/** The long form is issue 29's own. */
const [PAYMENTS, MOST] = inFull ? [10_000, 1_000] : [120, 12];
const CLIENTS = 32;

let services: RunningServices;
let links: TestPaymentLinks;
let shop: TestPromotions;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'reporting'], replicas: { payments: 2 } });
  links = await testPaymentLinks(services);
  const { merchant } = links;
  shop = await testPromotions(services, { merchant });
  await services.db('reporting').run(sql`
    insert into organization (id, name, partner_id, sequence)
    values (${merchant.organizationId}, 'Café Tacuba', ${shop.partnerId}, 1)`);
  await services.db('payments').run(sql`
    update fee_channel set fee_bps = case terms when 6 then 910 else 360 end
    where organization_id = ${merchant.organizationId}`);
});
afterAll(() => services.stop());

const askReporting = (path: string, caller = partnerCaller(shop.partnerId)) =>
  services.call('reporting', { path, caller });

async function listed(query: string): Promise<PartnerList<PartnerPayment>> {
  return (await askReporting(`/developer/payment?${query}`)).body as PartnerList<PartnerPayment>;
}

async function projected(id: string): Promise<PartnerPayment> {
  let found: PartnerPayment | undefined;
  await until(`reporting has ${id}`, async () => {
    [found] = (await listed(`id=${id}`)).data;
    return found !== undefined;
  });
  return found as PartnerPayment;
}

const centavos = (decimal: string) => {
  const [, sign, digits] = /^(-?)(.+)$/.exec(decimal) ?? [];
  return (sign === '-' ? -1n : 1n) * (centavosOf(Number(digits)) ?? 0n);
};

test('the partner’s list shows what merchant and sponsor get of a payment link, to the centavo', async () => {
  const product = { name: 'Talavera', price: 4_799 };
  const made = await links.merchant.call({ method: 'POST', path: '/product', body: product });
  const { id: productId } = made.body as { id: string };
  const promotion = await shop.create({ feeDiscount: 4.5, businessTake: 1.25, productIds: [productId] });
  const link = await links.create({ productId, allowedTerms: [1, 6] });
  const pay = async (terms: number) => {
    const paid = await patiently(() => links.pay(link, testCards.approved, { amount: 4_799, terms }));
    expect(paid.status).toBe(201);
    return (await projected((paid.body as { id: string }).id)).paymentDisbursement;
  };
  expect(await pay(6)).toEqual({
    feePercentage: 9.1,
    promotionFeeDiscount: 4.5,
    finalFeePercentageForMerchant: 4.6,
    finalFeePercentageForManufacturer: 4.5,
    promotionBusinessTake: 1.25,
    feeAmount: '436.71',
    merchantFeeAmount: '220.75',
    manufacturerFeeAmount: '215.96',
    merchantIvaFeeAmount: '35.32',
    manufacturerIvaFeeAmount: '34.55',
    totalFeeIva: '69.87',
    promotionTakeAmount: '59.99',
    merchantTakeAmount: '4482.94',
    manufacturerTakeAmount: '-190.52',
  });
  expect(await pay(1)).toMatchObject({
    feeAmount: '172.76',
    merchantFeeAmount: '0.00',
    manufacturerFeeAmount: '172.76',
    manufacturerIvaFeeAmount: '27.64',
    merchantTakeAmount: '4739.01',
    manufacturerTakeAmount: '-140.41',
  });
  await shop.end(promotion.id);
  expect(await pay(6)).toMatchObject({ merchantTakeAmount: '4292.42', manufacturerTakeAmount: '0.00' });
});

test('the developer reads name the promotion, and the dashboard’s steps meet', async () => {
  const { id: promotionId } = await shop.create({ businessTake: 2 });
  const { id: card } = await links.merchant.saveCard();
  const charged = await patiently(() => links.merchant.charge(card, { amount: 1_000 }));
  const { id } = charged.body as { id: string };
  expect(await projected(id)).toMatchObject({ promotionId });
  const read = (path: string) => askReporting(path, links.merchant.caller);
  expect((await read(`/developer/v1/payment/${id}`)).body).toMatchObject({ id, fee: 3.6, promotionId });
  const { steps } = (await read(`/report/payment/${id}/disbursement`)).body as {
    steps: { step: string; left: number }[];
  };
  expect(steps.map(({ step, left }) => [step, left])).toEqual([
    ['AMOUNT', 1_000],
    ['FEE', 964],
    ['FEE_IVA', 958.24],
    ['PROMOTION', 938.24],
    ['TAKE', 938.24],
  ]);
  await shop.end(promotionId);
});

test(`of ${PAYMENTS} payments on a promotion for ${MOST}, ${MOST} carry it, and every disbursement adds up`, async () => {
  const cards: string[] = [];
  while (cards.length < 8) cards.push((await links.merchant.saveCard(approvedCard(100 + cards.length))).id);
  const { id } = await shop.create({ feeDiscount: 2, businessTake: 0.5, maxPayments: MOST });
  const from = services.now().toISOString();
  let begun = 0;
  const client = async (n: number) => {
    while (begun < PAYMENTS) {
      const i = begun++;
      const charge = (): Promise<HttpAnswer> =>
        links.merchant.call({
          method: 'POST',
          path: `/payment-method/${cards[i % cards.length]}/payment`,
          body: { amount: (100 + (i % 977) * 137) / 100, externalId: `many-${i}` },
          replica: n % 2,
        });
      expect((await patiently(charge)).status).toBe(201);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));

  expect((await shop.read(id)).paymentsCount).toBe(MOST);
  expect((await shop.carriedBy()).get(id)).toBe(MOST);
  const query = `createdAtFrom=${from}&limit=100`;
  await until('reporting has all', async () => (await listed(query)).pagination.count === PAYMENTS);
  let carrying = 0;
  for (let offset = 0; offset < PAYMENTS; offset += 100) {
    const { data } = await listed(`${query}&offset=${offset}`);
    for (const { amount, promotionId, paymentDisbursement: d } of data) {
      const parts = [d.merchantTakeAmount, d.manufacturerTakeAmount, d.feeAmount, d.totalFeeIva].map(centavos);
      expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(centavosOf(amount));
      expect(d.promotionFeeDiscount).toBe(promotionId === id ? 2 : 0);
      if (promotionId === id) carrying++;
    }
  }
  expect(carrying).toBe(MOST);
});
