import type { Client } from '@cobro/client/merchant.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { createMerchant, createReader, type Merchant, TourError } from './merchant.ts';
import type { StackTerminal } from '../stack/create-terminal.ts';
import { faint, heading, say } from './print.ts';
import { takeTourOfLinks, takeTourOfPaymentLinks, takeTourOfPromotions } from './tour-of-links.ts';
import { takeTourOfSubscriptions } from './tour-of-subscriptions.ts';
import { takeTourOfTerminals } from './tour-of-terminals.ts';
import { until } from './until.ts';

export interface TourKeys {
  baseUrl: string;
  partnerBaseUrl: string;
  clockUrl: string;
  /** Set if the bank is the simulator. */
  bankUrl: string | undefined;
  apiKey: string;
  otherApiKey: string;
  partnerApiKey: string;
  otherPartnerApiKey: string;
  /** Undefined if the acquirer takes no cards at terminals. */
  terminal: StackTerminal | undefined;
  /** A card that can be saved and is declined when it is charged. */
  declinedCard: string;
}

const payment = ['status', 'amount', 'heldAmount'];

/** The main job of the product, step by step, as a merchant would do it. Throws if an answer is not the expected one. */
export async function takeTour(keys: TourKeys): Promise<void> {
  const merchant = createMerchant(keys.baseUrl, keys.apiKey);
  heading('Save a card');
  const card = await saveCard(merchant, testCards.approved);
  await charge(merchant, card);
  await decline(merchant, keys.declinedCard);
  await refund(merchant, card);
  const held = await hold(merchant, card);
  await takeTourOfLinks(merchant, keys);
  await takeTourOfPaymentLinks(merchant, keys.baseUrl);
  await takeTourOfPromotions(merchant, keys);
  const { baseUrl, terminal } = keys;
  if (terminal !== undefined) await takeTourOfTerminals(merchant, { baseUrl, terminal });
  await expiry(merchant, card, keys.clockUrl);
  await takeTourOfSubscriptions(merchant, { card, ...keys });
  await read(keys, merchant, card, held);
}

async function saveCard(merchant: Merchant, number: string): Promise<string> {
  const body = {
    card: { number, expirationMonth: 12, expirationYear: 2039, cvc: '123', holderName: 'Ana Torres' },
    billingInformation: { firstName: 'Ana', lastName: 'Torres', email: 'ana@example.com' },
  };
  const save = ({ paymentMethods }: Client) => paymentMethods.save(body);
  return (await merchant(201, save, 'status', 'card.lastFourDigits')).id;
}

async function charge(merchant: Merchant, card: string): Promise<void> {
  heading('Charge it, and repeat the request: the same payment, charged once');
  const order = { amount: 250.5, externalId: 'order-1' };
  const pay = ({ payments }: Client) => payments.charge(card, order);
  const first = await merchant(201, pay, ...payment, 'id');
  const again = await merchant(201, pay, ...payment, 'id');
  same(first.id, again.id);
  await merchant(409, ({ payments }) => payments.charge(card, { ...order, amount: 99 }), 'code');
}

async function decline(merchant: Merchant, number: string): Promise<void> {
  heading('A decline, and its replay');
  const card = await saveCard(merchant, number);
  const pay = ({ payments }: Client) => payments.charge(card, { amount: 80, externalId: 'order-2' });
  const first = await merchant(402, pay, 'code', 'declineCode', 'paymentId');
  const again = await merchant(402, pay, 'code', 'declineCode', 'paymentId');
  same(first['paymentId'], again['paymentId']);
}

async function refund(merchant: Merchant, card: string): Promise<void> {
  heading('Charge and refund, always in full');
  const pay = ({ payments }: Client) => payments.charge(card, { amount: 120, externalId: 'order-3' });
  const { id } = await merchant(201, pay, ...payment);
  const giveBack = ({ payments }: Client) => payments.refund(card, id, { reason: 'returned goods' });
  await merchant(200, giveBack, 'status', 'amount');
  await merchant(409, giveBack, 'code');
}

async function hold(merchant: Merchant, card: string): Promise<string> {
  heading('Hold funds, capture a part; only one capture exists');
  const place = (externalId: string, amount: number) =>
    merchant(201, ({ payments }) => payments.hold(card, { amount, externalId }), ...payment, 'holdDaysRemaining');
  const { id } = await place('order-4', 1000);
  await merchant(400, ({ payments }) => payments.capture(card, id, { amount: 2000 }), 'code');
  await merchant(200, ({ payments }) => payments.capture(card, id, { amount: 640.75 }), ...payment);
  await merchant(409, ({ payments }) => payments.capture(card, id), 'code');
  await merchant(200, ({ payments }) => payments.get(card, id), ...payment, 'capturedAt');

  heading('Hold and release');
  const other = await place('order-5', 300);
  await merchant(200, ({ payments }) => payments.release(card, other.id), 'status', 'holdReleasedAt');
  return id;
}

async function expiry(merchant: Merchant, card: string, clockUrl: string): Promise<void> {
  heading('Hold, and let eight days pass');
  const place = ({ payments }: Client) => payments.hold(card, { amount: 500, externalId: 'order-6' });
  const { id } = await merchant(201, place, 'status', 'holdExpiresAt');
  await fetch(clockUrl, { method: 'PUT', body: JSON.stringify({ advanceSeconds: 8 * 86_400 }) });
  say(`  ${faint('the clock of every process now stands eight days later')}`);
  await merchant(409, ({ payments }) => payments.capture(card, id), 'code');
  await until(async () => {
    const get = ({ payments }: Client) => payments.get(card, id);
    return (await merchant(200, get, 'status', 'holdReleasedAt', 'holdExpired')).status === 'HOLD_EXPIRED';
  });
}

async function read(keys: TourKeys, merchant: Merchant, card: string, held: string): Promise<void> {
  heading('Read it back');
  await merchant(200, ({ payments }) => payments.list(card, { pageSize: 100 }), 'count', 'items');
  const detail = ['status', 'amount', 'heldAmount', 'fee', 'operationCode', 'card.issuingBank'];
  await merchant(200, ({ developer }) => developer.get(held), ...detail);
  const query = { status: ['HELD', 'CONFIRMED'] } as const;
  await merchant(200, ({ call }) => call('listDeveloperPayments', { query }), 'data');
  await merchant(200, ({ call }) => call('listEvents', { query: { type: 'hold.captured' } }), 'data');
  const asked = { url: 'https://shop.example.mx/cobro', types: ['payment.*', 'hold.captured'] as const };
  const endpoint = await merchant(201, ({ webhookEndpoints }) => webhookEndpoints.create(asked), 'url', 'types');
  await merchant(200, ({ webhookEndpoints }) => webhookEndpoints.list(), 'count', 'items');
  await merchant(200, ({ webhookEndpoints }) => webhookEndpoints.delete(endpoint.id), 'success');
  const stranger = createMerchant(keys.baseUrl, keys.otherApiKey);
  await stranger(404, ({ developer }) => developer.get(held), 'code');
  for (const key of [keys.partnerApiKey, keys.otherPartnerApiKey]) {
    const partner = createReader(keys.partnerBaseUrl, key);
    await partner(200, ({ payments }) => payments(), 'data', 'pagination.count');
  }
}

function same(first: unknown, again: unknown): void {
  if (first !== again)
    throw new TourError(`the repeated request made another payment: ${String(first)}, ${String(again)}`);
}
