import assert from 'node:assert/strict';
import type { DeveloperPayment } from '@cobro/contracts/developer-payments.ts';
import type { PartnerList, PartnerPayment } from '@cobro/contracts/partner-payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { tappedCardBody } from '@cobro/testing/test-intents.ts';
import { formFields, tokenIn } from '@cobro/testing/test-links.ts';
import { until } from '@cobro/testing/until.ts';
import type { Merchants } from '../../ops/image/first-merchant.ts';
import type { Client, Send } from '../e2e/client.ts';
import { type Door, merchantAt, partnerAt, strangerAt } from './send.ts';

/** A terminal of the first organization. */
export interface Terminal {
  serial: string;
  key: string;
}

/** What merchants, payers, a terminal and partners do, once each, through the Ingress. @throws if an answer is wrong */
export async function stories(door: Door, merchants: Merchants, terminal: Terminal): Promise<void> {
  const merchant = merchantAt(door, merchants.apiKey);
  const made = [
    ...(await savedCards(merchant)),
    await link(merchant, strangerAt(door)),
    await tap(merchant, strangerAt(door), terminal),
  ];
  for (const [id, status] of made) await untilShown(merchant, id, status);
  const stranger = merchantAt(door, merchants.otherApiKey);
  assert.equal((await stranger.send('GET', `/developer/v1/payment/${made[0]?.[0]}`)).status, 404);

  const path = `/developer/payment?limit=100&${made.map(([id]) => `id=${id}`).join('&')}`;
  const partner = partnerAt(door, merchants.partnerApiKey);
  const list = await partner.send<PartnerList<PartnerPayment>>('GET', path);
  assert.equal(list.status, 200);
  assert.equal(list.body.pagination.count, made.length);
  assert.equal((await merchantAt(door, merchants.partnerApiKey).send('GET', path)).status, 404, 'at the main host');
}

type Made = [id: string, status: string];

async function savedCards(merchant: Client): Promise<Made[]> {
  const card = await merchant.saveCard();
  const body = { amount: 250.5, externalId: crypto.randomUUID() };
  const charged = await merchant.charge(card, body);
  assert.deepEqual([charged.status, charged.body.status], [201, 'CONFIRMED']);
  const again = await merchant.charge(card, body);
  assert.deepEqual([again.body.id, again.headers.get('idempotent-replayed')], [charged.body.id, 'true']);

  const poor = await merchant.saveCard(testCards.insufficientFunds);
  assert.equal((await merchant.charge(poor)).status, 402);

  const returned = await merchant.charge(card, { amount: 120 });
  assert.equal((await merchant.refund(card, returned.body.id)).body.status, 'REFUNDED');

  const held = await merchant.hold(card, { amount: 1000 });
  assert.deepEqual([held.status, held.body.status], [201, 'HELD']);
  const captured = await merchant.capture(card, held.body.id, 640.75);
  assert.deepEqual([captured.status, captured.body.status, captured.body.amount], [200, 'CONFIRMED', 640.75]);

  const released = await merchant.hold(card, { amount: 300 });
  assert.equal((await merchant.release(card, released.body.id)).body.status, 'HOLD_RELEASED');
  return [
    [charged.body.id, 'CONFIRMED'],
    [returned.body.id, 'REFUNDED'],
    [held.body.id, 'CONFIRMED'],
    [released.body.id, 'HOLD_RELEASED'],
  ];
}

/** Creates a one-time payment and pays it on its page. */
async function link(merchant: Client, payer: Send): Promise<Made> {
  const asked = { body: { amount: 1499, description: 'Dos noches en Oaxaca' } };
  const created = await merchant.send<{ id: string; checkoutUrl: string }>('POST', '/one-time-payment', asked);
  assert.equal(created.status, 201);
  const { origin, pathname } = new URL(created.body.checkoutUrl);
  const page = await payer<string>('GET', pathname);
  assert.equal(page.status, 200);
  assert.match(page.body, /1,499\.00/);
  const fields = { ...formFields(testCards.approved), token: tokenIn(page) };
  const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
  const sent = { body: new URLSearchParams(fields).toString(), headers };
  assert.equal((await payer('POST', pathname, sent)).status, 303);
  const path = `/developer/v1/payment?oneTimePaymentId=${created.body.id}`;
  let paid: string | undefined;
  await until('the developer API shows the payment of the link', async () => {
    const { body } = await merchant.send<{ data: { id: string }[] }>('GET', path);
    paid = body.data[0]?.id;
    return paid !== undefined;
  });
  return [paid ?? '', 'CONFIRMED'];
}

/** A till creates an intent, and a card is tapped at the terminal for it. */
async function tap(merchant: Client, send: Send, { serial, key }: Terminal): Promise<Made> {
  const body = { amount: 80, currency: 'MXN', externalId: crypto.randomUUID(), terminalCode: serial };
  const made = await merchant.send<{ id: string }>('POST', '/payment-intent', { body });
  assert.equal(made.status, 201);
  const headers = { 'x-terminal-key': key };
  const shown = await send<{ id: string }>('GET', '/api/terminal/v1/payment-intent/next?waitSeconds=5', { headers });
  assert.deepEqual([shown.status, shown.body.id], [200, made.body.id]);
  const attempt = { attemptId: crypto.randomUUID(), card: tappedCardBody() };
  const path = `/api/terminal/v1/payment-intent/${made.body.id}/payment`;
  const paid = await send<{ paymentId: string }>('POST', path, { body: attempt, headers });
  assert.equal(paid.status, 201);
  return [paid.body.paymentId, 'CONFIRMED'];
}

async function untilShown(merchant: Client, id: string, status: string): Promise<void> {
  await until(`the developer API shows ${id} as ${status}`, async () => {
    const { body } = await merchant.send<DeveloperPayment>('GET', `/developer/v1/payment/${id}`);
    return body.status === status;
  });
}
