import type { DeveloperPayment, DeveloperPaymentItem } from '@cobro/contracts/developer-payments.ts';
import type { PartnerList, PartnerPayment } from '@cobro/contracts/partner-payments.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { putJson } from '@cobro/testing/put-json.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import type { Client } from './client.ts';
import type { StackUnderTest } from './stack-under-test.ts';

interface Developer {
  data: DeveloperPaymentItem[];
  pagination: { limit: number; hasMore: boolean; nextCursor: string | null };
}

/** Save, charge, repeat, decline, refund, hold, capture, release, expiry, and every way to read it back. */
export function mainJob({ stack, merchant, partner, agreed }: StackUnderTest): void {
  const made: Record<'charge' | 'declined' | 'refunded' | 'captured' | 'released' | 'expired', string> = {
    charge: '',
    declined: '',
    refunded: '',
    captured: '',
    released: '',
    expired: '',
  };
  let card = '';

  test('a saved card is charged once, however often the request comes', async () => {
    card = await merchant().saveCard();
    const body = { amount: 250.5, externalId: 'main-job-1', description: 'two coffees' };
    const first = await merchant().charge(card, body);
    expect(first).toMatchObject({
      status: 201,
      body: { status: 'CONFIRMED', amount: 250.5, currency: 'MXN', heldAmount: null, externalId: 'main-job-1' },
    });
    const again = await merchant().charge(card, body);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await merchant().charge(card, { ...body, amount: 99 });
    expect(other).toMatchObject({ status: 409, body: { code: 'EXTERNAL_ID_MISMATCH' } });
    made.charge = first.body.id;
  });

  test('a decline spends its externalId', async () => {
    const poor = await merchant().saveCard(testCards.insufficientFunds);
    const body = { amount: 80, externalId: 'main-job-2' };
    const first = await merchant().charge(poor, body);
    expect(first).toMatchObject({ status: 402, body: { code: 'CHARGE_DECLINED', declineCode: 'insufficient_funds' } });
    const again = await merchant().charge(poor, body);
    expect(again).toMatchObject({ status: 402, body: first.body });
    made.declined = (first.body as unknown as { paymentId: string }).paymentId;
    expect((await merchant().read(poor, made.declined)).body).toMatchObject({ status: 'CANCELLED', amount: 80 });
  });

  test('a charge is refunded once, in full', async () => {
    const charged = await merchant().charge(card, { amount: 120 });
    made.refunded = charged.body.id;
    const refunded = await merchant().refund(card, made.refunded);
    expect(refunded).toMatchObject({ status: 200, body: { status: 'REFUNDED', amount: 120, currency: 'MXN' } });
    expect(await merchant().refund(card, made.refunded)).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_ALREADY_REFUNDED' },
    });
  });

  test('a hold is captured once, in part', async () => {
    const held = await merchant().hold(card, { amount: 1000 });
    expect(held).toMatchObject({ status: 201, body: { status: 'HELD', amount: 1000, heldAmount: 1000 } });
    made.captured = held.body.id;
    const tooMuch = await merchant().capture(card, made.captured, 1000.01);
    expect(tooMuch).toMatchObject({ status: 400, body: { code: 'CAPTURE_AMOUNT_EXCEEDS_HOLD' } });
    const captured = await merchant().capture(card, made.captured, 640.75);
    expect(captured).toMatchObject({
      status: 200,
      body: { status: 'CONFIRMED', amount: 640.75, heldAmount: 1000, holdReleasedAt: null, holdDaysRemaining: null },
    });
    const again = await merchant().capture(card, made.captured);
    expect(again).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });
    const read = async () => (await merchant().read(card, made.captured)).body;
    await until('payments follows', async () => (await read()).status === 'CONFIRMED');
    expect(await read()).toEqual(captured.body);
  });

  test('a hold is released, and a second release says the same', async () => {
    made.released = (await merchant().hold(card, { amount: 300 })).body.id;
    const released = await merchant().release(card, made.released);
    expect(released).toMatchObject({ status: 200, body: { status: 'HOLD_RELEASED', capturedAt: null } });
    expect(await merchant().release(card, made.released)).toMatchObject({ status: 200, body: released.body });
  });

  test('a hold expires by itself once its seven days are over', async () => {
    const held = await merchant().hold(card, { amount: 500 });
    made.expired = held.body.id;
    await putJson(stack().clockUrl, { advanceSeconds: 8 * 86_400 });
    // It is refused before, during and after the sweep.
    const late = await merchant().capture(card, made.expired);
    expect(late.status).toBe(409);
    const codes = ['HOLD_WINDOW_CLOSED', 'RELEASE_IN_PROGRESS', 'PAYMENT_NOT_HELD'];
    expect(codes).toContain((late.body as unknown as { code: string }).code);
    await until('the hold expires', async () => {
      const { body } = await merchant().read(card, made.expired);
      return body.status === 'HOLD_EXPIRED' && body.holdReleasedAt !== null && body.holdExpired;
    });
    await fetch(stack().clockUrl, { method: 'DELETE' });
  });

  test('the list of the card shows all of its payments, the newest first', async () => {
    const list = await merchant().send<{ count: number; items: Payment[] }>('GET', `/payment-method/${card}/payment`);
    expect(list).toMatchObject({ status: 200, body: { count: 5, page: 1, pageSize: 100 } });
    const { charge, refunded, captured, released, expired } = made;
    expect(list.body.items.map(({ id, status }) => [id, status])).toEqual([
      [expired, 'HOLD_EXPIRED'],
      [released, 'HOLD_RELEASED'],
      [captured, 'CONFIRMED'],
      [refunded, 'REFUNDED'],
      [charge, 'CONFIRMED'],
    ]);
    const path = `/payment-method/${card}/payment?status=CONFIRMED&pageSize=1&page=2`;
    expect((await merchant().send('GET', path)).body).toMatchObject({ count: 2, items: [{ id: charge }] });
  });

  test('the developer API shows each payment, to its own organization only', async () => {
    await agreed();
    const detail = await merchant().send<DeveloperPayment>('GET', `/developer/v1/payment/${made.captured}`);
    expect(detail).toMatchObject({
      status: 200,
      body: {
        status: 'CONFIRMED',
        amount: 640.75,
        heldAmount: 1000,
        fee: 3.5,
        type: 'CARD_NOT_PRESENT',
        source: 'SAVED_CARD',
        card: { lastFourDigits: '4242', network: 'VISA', fundingSource: 'CREDIT' },
        paymentMethodId: card,
      },
    });
    const stranger = merchant(stack().merchants.otherApiKey);
    const hidden = await stranger.send('GET', `/developer/v1/payment/${made.captured}`);
    expect(hidden).toMatchObject({ status: 404, body: { code: 'PAYMENT_NOT_FOUND' } });
    expect(Object.keys(hidden.body).toSorted()).toEqual(['code', 'message']);
  });

  test('the developer list is walked by cursor, every payment once', async () => {
    const seen = await walk(merchant(), `/developer/v1/payment?limit=2&paymentMethodId=${card}`);
    expect(seen.map(({ id }) => id)).toEqual([made.expired, made.released, made.captured, made.refunded, made.charge]);
  });

  test('the partner sees the payments of its organizations, and no others', async () => {
    const ids = Object.values(made);
    const path = `/developer/payment?limit=100&${ids.map((id) => `id=${id}`).join('&')}`;
    const mine = await partner().send<PartnerList<PartnerPayment>>('GET', path);
    expect(mine.status).toBe(200);
    expect(mine.body.pagination.count).toBe(ids.length);
    const statuses = Object.fromEntries(mine.body.data.map(({ id, status }) => [id, status]));
    expect(statuses).toEqual({
      [made.charge]: 'CONFIRMED',
      [made.declined]: 'CANCELLED',
      [made.refunded]: 'REFUNDED',
      [made.captured]: 'CONFIRMED',
      [made.released]: 'CANCELLED',
      [made.expired]: 'CANCELLED',
    });
    const captured = mine.body.data.find(({ id }) => id === made.captured);
    expect(captured?.organization.id).toBe(stack().merchants.organizationId);
    // 640.75 × 3.5 % = 22.426…, and 16 % of that.
    expect(captured?.paymentDisbursement).toMatchObject({ feeAmount: '22.43', totalFeeIva: '3.59' });
    const others = await partner(stack().merchants.otherPartnerApiKey).send('GET', path);
    expect(others).toMatchObject({ status: 200, body: { data: [], pagination: { count: 0 } } });
  });

  test('the bank and every service agree to the centavo', async () => {
    await expect(agreed()).resolves.toBeUndefined();
  });
}

async function walk(client: Client, path: string): Promise<DeveloperPaymentItem[]> {
  const seen: DeveloperPaymentItem[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { body: Developer } = await client.send<Developer>('GET', cursor ? `${path}&cursor=${cursor}` : path);
    seen.push(...page.body.data);
    cursor = page.body.pagination.nextCursor;
  }
  return seen;
}
