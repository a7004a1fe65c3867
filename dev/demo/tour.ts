import { testCards } from '@cobro/contracts/test-cards.ts';
import { createMerchant, type Merchant, TourError } from './merchant.ts';
import type { StackTerminal } from '../stack/create-terminal.ts';
import { faint, heading, say } from './print.ts';
import { takeTourOfLinks } from './tour-of-links.ts';
import { takeTourOfTerminals } from './tour-of-terminals.ts';
import { until } from './until.ts';

export interface TourKeys {
  baseUrl: string;
  partnerBaseUrl: string;
  clockUrl: string;
  apiKey: string;
  otherApiKey: string;
  partnerApiKey: string;
  otherPartnerApiKey: string;
  /** None where the acquirer takes no cards at terminals. */
  terminal: StackTerminal | undefined;
  /** A card that can be saved and is declined when it is charged. */
  declinedCard: string;
}

const payment = ['status', 'amount', 'heldAmount'];

/** The main job of the product, step by step, as a merchant would do it. Throws where an answer is not as it should be. */
export async function takeTour(keys: TourKeys): Promise<void> {
  const merchant = createMerchant(keys.baseUrl, keys.apiKey);
  heading('Save a card');
  const card = await saveCard(merchant, testCards.approved);
  await charge(merchant, card);
  await decline(merchant, keys.declinedCard);
  await refund(merchant, card);
  const held = await hold(merchant, card);
  await takeTourOfLinks(merchant, keys);
  const { baseUrl, terminal } = keys;
  if (terminal !== undefined) await takeTourOfTerminals(merchant, { baseUrl, terminal });
  await expiry(merchant, card, keys.clockUrl);
  await read(keys, merchant, card, held);
}

async function saveCard(merchant: Merchant, number: string): Promise<string> {
  const body = {
    card: { number, expirationMonth: 12, expirationYear: 2039, cvc: '123', holderName: 'Ana Torres' },
    billingInformation: { firstName: 'Ana', lastName: 'Torres', email: 'ana@example.com' },
  };
  const saved = await merchant('POST', '/payment-method', {
    body,
    status: 201,
    show: ['status', 'card.lastFourDigits'],
  });
  return saved.id;
}

async function charge(merchant: Merchant, card: string): Promise<void> {
  heading('Charge it, and repeat the request: the same payment, charged once');
  const sent = { body: { amount: 250.5, externalId: 'order-1' }, status: 201, show: [...payment, 'id'] };
  const first = await merchant('POST', `/payment-method/${card}/payment`, sent);
  const again = await merchant('POST', `/payment-method/${card}/payment`, sent);
  same(first.id, again.id);
  const other = { ...sent, body: { amount: 99, externalId: 'order-1' }, status: 409, show: ['code'] };
  await merchant('POST', `/payment-method/${card}/payment`, other);
}

async function decline(merchant: Merchant, number: string): Promise<void> {
  heading('A decline, and its replay');
  const card = await saveCard(merchant, number);
  const body = { amount: 80, externalId: 'order-2' };
  const sent = { body, status: 402, show: ['code', 'declineCode', 'paymentId'] };
  const first = await merchant('POST', `/payment-method/${card}/payment`, sent);
  const again = await merchant('POST', `/payment-method/${card}/payment`, sent);
  same(first.body['paymentId'], again.body['paymentId']);
}

async function refund(merchant: Merchant, card: string): Promise<void> {
  heading('Charge and refund, always in full');
  const path = `/payment-method/${card}/payment`;
  const { id } = await merchant('POST', path, { body: { amount: 120 }, status: 201, show: payment });
  const reason = { reason: 'returned goods' };
  await merchant('POST', `${path}/${id}/refund`, { body: reason, status: 200, show: ['status', 'amount'] });
  await merchant('POST', `${path}/${id}/refund`, { body: reason, status: 409, show: ['code'] });
}

async function hold(merchant: Merchant, card: string): Promise<string> {
  heading('Hold funds, capture a part; only one capture exists');
  const path = `/payment-method/${card}/payment`;
  const sent = { body: { amount: 1000, holdFunds: true }, status: 201, show: [...payment, 'holdDaysRemaining'] };
  const held = await merchant('POST', path, sent);
  const capture = `${path}/${held.id}/capture`;
  await merchant('POST', capture, { body: { amount: 2000 }, status: 400, show: ['code'] });
  await merchant('POST', capture, { body: { amount: 640.75 }, status: 200, show: payment });
  await merchant('POST', capture, { status: 409, show: ['code'] });
  await merchant('GET', `${path}/${held.id}`, { status: 200, show: [...payment, 'capturedAt'] });

  heading('Hold and release');
  const other = await merchant('POST', path, { ...sent, body: { amount: 300, holdFunds: true } });
  await merchant('POST', `${path}/${other.id}/release`, { status: 200, show: ['status', 'holdReleasedAt'] });
  return held.id;
}

async function expiry(merchant: Merchant, card: string, clockUrl: string): Promise<void> {
  heading('Hold, and let eight days pass');
  const path = `/payment-method/${card}/payment`;
  const body = { amount: 500, holdFunds: true };
  const held = await merchant('POST', path, { body, status: 201, show: ['status', 'holdExpiresAt'] });
  await fetch(clockUrl, { method: 'PUT', body: JSON.stringify({ advanceSeconds: 8 * 86_400 }) });
  say(`  ${faint('the clock of every process now stands eight days later')}`);
  const capture = `${path}/${held.id}/capture`;
  await merchant('POST', capture, { status: 409, show: ['code'] });
  const url = `${path}/${held.id}`;
  await until(async () => {
    const { body: now } = await merchant('GET', url, {
      status: 200,
      show: ['status', 'holdReleasedAt', 'holdExpired'],
    });
    return now['status'] === 'HOLD_EXPIRED';
  });
}

async function read(keys: TourKeys, merchant: Merchant, card: string, held: string): Promise<void> {
  heading('Read it back');
  await merchant('GET', `/payment-method/${card}/payment?pageSize=100`, { status: 200, show: ['count', 'items'] });
  const detail = ['status', 'amount', 'heldAmount', 'fee', 'operationCode', 'card.issuingBank'];
  await merchant('GET', `/developer/v1/payment/${held}`, { status: 200, show: detail });
  await merchant('GET', '/developer/v1/payment?status=HELD&status=CONFIRMED', { status: 200, show: ['data'] });
  const stranger = createMerchant(keys.baseUrl, keys.otherApiKey);
  await stranger('GET', `/developer/v1/payment/${held}`, { status: 404, show: ['code'] });
  const partner = createMerchant(keys.partnerBaseUrl, keys.partnerApiKey);
  await partner('GET', '/developer/payment', { status: 200, show: ['data', 'pagination.count'] });
  const otherPartner = createMerchant(keys.partnerBaseUrl, keys.otherPartnerApiKey);
  await otherPartner('GET', '/developer/payment', { status: 200, show: ['data', 'pagination.count'] });
}

function same(first: unknown, again: unknown): void {
  if (first !== again)
    throw new TourError(`the repeated request made another payment: ${String(first)}, ${String(again)}`);
}
