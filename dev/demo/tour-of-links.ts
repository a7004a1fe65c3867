import type { Client } from '@cobro/client/merchant.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { createMerchant, createReader, type Merchant, TourError } from './merchant.ts';
import { faint, heading, say } from './print.ts';
import { until } from './until.ts';

const card = {
  number: testCards.approved,
  expirationMonth: 12,
  expirationYear: 2039,
  cvc: '123',
  holderName: 'Ana Torres',
};
const billingInformation = { firstName: 'Ana', lastName: 'Torres', email: 'ana@example.com' };

/** A one-time payment from the merchant's request to its payer's receipt; and one that is cancelled. */
export async function takeTourOfLinks(
  merchant: Merchant,
  { baseUrl, declinedCard }: { baseUrl: string; declinedCard: string },
): Promise<void> {
  heading('A one-time payment: a link that a customer opens and pays in three installments');
  const order = { amount: 900, description: 'Dos boletos', externalId: 'order-7', allowedTerms: [1, 3] } as const;
  const create = ({ oneTimePayments }: Client) => oneTimePayments.create(order);
  const link = await merchant(201, create, 'status', 'amount', 'allowedTerms', 'checkoutUrl');
  const customer = createMerchant(baseUrl);
  await customer(200, ({ oneTimePayments }) => oneTimePayments.view(link.id), 'status', 'amount', 'organization.name');
  await seePage(link.checkoutUrl, 'form');
  const pay =
    (number: string, terms: 1 | 3 = 1) =>
    ({ oneTimePayments }: Client) =>
      oneTimePayments.pay(link.id, { card: { ...card, number }, terms, billingInformation });
  await customer(402, pay(declinedCard), 'code', 'declineCode');
  await customer(201, pay(testCards.approved, 3), 'status', 'amount', 'operationCode');
  await customer(409, pay(testCards.approved, 3), 'code');
  await seePage(link.checkoutUrl, 'already-paid');
  await until(async () => {
    const query = { oneTimePaymentId: link.id, status: 'CONFIRMED' } as const;
    const { data } = await merchant(200, ({ call }) => call('listDeveloperPayments', { query }), 'data');
    return data.length === 1;
  });

  heading('A one-time payment that its merchant cancels');
  const coffee = { amount: 50, description: 'Café', externalId: 'order-8' };
  const other = await merchant(201, ({ oneTimePayments }) => oneTimePayments.create(coffee), 'status');
  await merchant(200, ({ oneTimePayments }) => oneTimePayments.cancel(other.id), 'status');
  await seePage(other.checkoutUrl, 'cancelled');
  await merchant(200, ({ oneTimePayments }) => oneTimePayments.list(), 'count', 'items');
}

/** A payment link that two customers pay, which is then sold out. */
export async function takeTourOfPaymentLinks(merchant: Merchant, baseUrl: string): Promise<void> {
  heading('A payment link: an address that any number of customers pay, here two');
  const yoga = { amount: 350, description: 'Clase de yoga', externalId: 'yoga-7', maxPayments: 2 };
  const link = await merchant(201, ({ paymentLinks }) => paymentLinks.create(yoga), 'status', 'amount', 'checkoutUrl');
  const customer = createMerchant(baseUrl);
  const pay = ({ paymentLinks }: Client) =>
    paymentLinks.pay(link.id, { attemptId: crypto.randomUUID(), amount: 350, card, billingInformation });
  await customer(200, ({ paymentLinks }) => paymentLinks.view(link.id), 'status', 'amount', 'organization.name');
  await seePage(link.checkoutUrl, 'form');
  const first = await customer(201, pay, 'status', 'amount', 'operationCode');
  await customer(201, pay, 'status');
  await customer(409, pay, 'code');
  await seePage(link.checkoutUrl, 'sold-out');
  await merchant(200, ({ paymentLinks }) => paymentLinks.refund(link.id, first.id), 'status');
  await merchant(200, ({ paymentLinks }) => paymentLinks.get(link.id), 'status', 'paymentsCount');
}

/** A promotion that its sponsor accepts, and a payment link, shown by a salesperson, whose payment carries it. */
export async function takeTourOfPromotions(
  merchant: Merchant,
  { baseUrl, partnerBaseUrl, partnerApiKey }: { baseUrl: string; partnerBaseUrl: string; partnerApiKey: string },
): Promise<void> {
  heading('A promotion: the sales partner bears a part of the fee, and the payer pays what it would');
  const times = { startsAt: '2026-01-01T00:00:00-06:00', endsAt: '2040-01-01T00:00:00-06:00' };
  const terms = { name: 'Buen Fin', feeDiscount: 2, businessTake: 1.25, terms: [1], maxPayments: 50 } as const;
  const offer = { ...terms, ...times, externalId: 'buen-fin' };
  const { id } = await merchant(201, ({ promotions }) => promotions.create(offer), 'status', 'sponsor.name');
  const sponsor = createReader(partnerBaseUrl, partnerApiKey);
  await sponsor(200, ({ acceptPromotion }) => acceptPromotion(id), 'status', 'organization.name');

  heading('A payment link that a salesperson shows, whose payment carries the promotion');
  const lucia = { name: 'Lucía Ortega', username: 'lucia.ortega' };
  const seller = await merchant(201, ({ salespeople }) => salespeople.create(lucia), 'name', 'status');
  const rug = { amount: 1200, description: 'Tapete de Teotitlán', externalId: 'rug-1', salespersonId: seller.id };
  const link = await merchant(201, ({ paymentLinks }) => paymentLinks.create(rug), 'status', 'salesperson.name');
  const attempt = { attemptId: crypto.randomUUID(), amount: 1200, card, billingInformation };
  const customer = createMerchant(baseUrl);
  const paid = await customer(201, ({ paymentLinks }) => paymentLinks.pay(link.id, attempt), 'status', 'amount');
  await until(async () => {
    const query = { paymentLinkId: link.id } as const;
    const { data } = await merchant(200, ({ call }) => call('listDeveloperPayments', { query }), 'data');
    return data.length === 1;
  });
  const shown = await merchant(200, ({ developer }) => developer.get(paid.id), 'status', 'fee', 'promotionId');
  if (shown.promotionId !== id) throw new TourError(`the payment carries ${String(shown.promotionId)}, not ${id}`);
  await merchant(200, ({ promotions }) => promotions.end(id), 'status', 'paymentsCount');
}

/** Looks at the page as a browser gets it. */
async function seePage(url: string, state: string): Promise<void> {
  const response = await fetch(url);
  const html = await response.text();
  const [, shown] = /data-state="([a-z-]+)"/.exec(html) ?? [];
  if (response.status !== 200 || shown !== state)
    throw new TourError(`${url} shows ${response.status} ${shown}, not ${state}`);
  say(`  ${faint(`the page shows "${state}", ${(html.length / 1_000).toFixed(0)} KB`)}`);
}
