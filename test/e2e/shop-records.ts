import { outwardId } from '@cobro/contracts/outward-events.ts';
import { tappedCardBody } from '@cobro/testing/test-intents.ts';
import { payer } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { runCommand } from '../../dev/seed/run-command.ts';
import { type Client, sendTo } from './client.ts';
import type { Stack } from '../../dev/stack/stack.ts';

/** A merchant that makes the examples' records. */
export interface Shop {
  stack: Stack;
  merchant: Client;
  organizationId: string;
}

export const aCard = ({ merchant }: Shop) => merchant.saveCard();

/** The path parameters of a new payment with a new card. */
export async function aPayment(shop: Shop, body?: object): Promise<{ id: string; paymentId: string }> {
  const id = await aCard(shop);
  return { id, paymentId: (await shop.merchant.charge(id, body)).body.id };
}

async function create(shop: Shop, path: string, body: object): Promise<string> {
  const made = await shop.merchant.send('POST', path, { body });
  if (made.status !== 201) throw new Error(`${path}: ${made.status} ${JSON.stringify(made.body)}`);
  return String(made.body['id']);
}

/** Nothing is sent to it, because changes by itself would look like a stranger's. */
export async function anEndpoint(shop: Shop): Promise<string> {
  const id = await create(shop, '/webhook-endpoint', { url: 'http://127.0.0.1:9/webhooks', types: ['hold.expired'] });
  await shop.merchant.send('PATCH', `/webhook-endpoint/${id}`, { body: { status: 'DISABLED' } });
  return id;
}

export async function aDelivery(shop: Shop): Promise<{ id: string; deliveryId: string }> {
  const id = await anEndpoint(shop);
  const tested = await shop.merchant.send('POST', `/webhook-endpoint/${id}/test`, { body: { type: 'hold.placed' } });
  return { id, deliveryId: String(tested.body['id']) };
}

/** An event that is in the feed. */
export async function anEvent(shop: Shop): Promise<{ id: string }> {
  const id = outwardId((await aPayment(shop)).paymentId, 'payment.confirmed');
  await until('the event has come', async () => (await shop.merchant.send('GET', `/event/${id}`)).status === 200);
  return { id };
}

/** A payment that reporting has. */
export async function aReportedPayment(shop: Shop): Promise<string> {
  const { paymentId } = await aPayment(shop);
  const path = `/developer/v1/payment/${paymentId}`;
  await until('reporting follows', async () => (await shop.merchant.send('GET', path)).status === 200);
  return paymentId;
}

export const aProductBody = { name: 'Talavera', price: 479, stock: 12 };
export const aProduct = (shop: Shop) => create(shop, '/product', aProductBody);

export const aLink = (shop: Shop) => create(shop, '/one-time-payment', { amount: 900, description: 'Dos boletos' });
export const attempt = { card: cardBody(), billingInformation: payer };

export async function aPaidLink(shop: Shop): Promise<string> {
  const id = await aLink(shop);
  await create(shop, `/one-time-payment/${id}/payment`, attempt);
  return id;
}

export const aPaymentLink = (shop: Shop) =>
  create(shop, '/payment-link', { amount: 350, description: 'Clase de yoga' });
export const linkAttempt = () => ({ ...attempt, attemptId: crypto.randomUUID(), amount: 350 });

export async function aPaymentOfALink(shop: Shop): Promise<{ id: string; paymentId: string; attemptId: string }> {
  const id = await aPaymentLink(shop);
  const body = linkAttempt();
  return { id, paymentId: await create(shop, `/payment-link/${id}/payment`, body), attemptId: body.attemptId };
}

export const aSubscriptionBody = async (shop: Shop) => ({
  paymentMethodId: await aCard(shop),
  amount: 349,
  periodicity: 'MONTHLY',
});
export const aSubscription = async (shop: Shop) => create(shop, '/subscription', await aSubscriptionBody(shop));

export const aPage = async ({ stack }: Shop, id: string) =>
  sendTo(new URL(stack.baseUrl).origin, undefined)<string>('GET', `/checkout/${id}`);

export const promotion = {
  name: 'Meses sin intereses',
  feeDiscount: 2,
  terms: [3, 6],
  issuingBanks: ['BBVA'],
  startsAt: '2026-01-01T00:00:00Z',
  endsAt: '2099-01-01T00:00:00Z',
};

export async function aPromotion(shop: Shop): Promise<{ params: { id: string } }> {
  return { params: { id: await create(shop, '/promotion', promotion) } };
}

export async function aTerminal({ stack, organizationId }: Shop): Promise<{ serial: string; terminalKey: string }> {
  const serial = `SN-${crypto.randomUUID()}`;
  const args = ['--organization', organizationId, '--serial', serial];
  const { key = '' } = await runCommand(stack.databaseUrl, 'terminals', 'create', ...args);
  return { serial, terminalKey: key };
}

export const anIntentFor = (terminalCode: string) => ({
  amount: 250,
  currency: 'MXN',
  externalId: crypto.randomUUID(),
  terminalCode,
});

/** A new terminal that has an open intent. */
export async function anIntent(shop: Shop): Promise<{ params: { id: string }; terminalKey: string }> {
  const { serial, terminalKey } = await aTerminal(shop);
  return { params: { id: await create(shop, '/payment-intent', anIntentFor(serial)) }, terminalKey };
}

export const tap = () => ({ attemptId: crypto.randomUUID(), card: tappedCardBody() });

export async function aPaidIntent(shop: Shop): Promise<{ params: { id: string }; paymentId: string }> {
  const { params, terminalKey } = await anIntent(shop);
  const paid = await sendTo(shop.stack.baseUrl, undefined)('POST', `/terminal/v1/payment-intent/${params.id}/payment`, {
    headers: { 'x-terminal-key': terminalKey },
    body: tap(),
  });
  if (paid.status !== 201) throw new Error(`the intent was not paid: ${paid.status}`);
  return { params, paymentId: (paid.body as { paymentId: string }).paymentId };
}

export const aBranch = (shop: Shop) => create(shop, '/business-store-branch', { name: 'Roma Norte' });

export async function aNewcomer(shop: Shop): Promise<object> {
  const username = `lucia-${crypto.randomUUID()}`;
  return { name: 'Lucía Ramos', username, businessStoreBranchId: await aBranch(shop) };
}

export const aSalesperson = async (shop: Shop) => create(shop, '/salesperson', await aNewcomer(shop));
