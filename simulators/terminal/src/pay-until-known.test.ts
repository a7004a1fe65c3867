import { intentPaymentBody } from '@cobro/contracts/payment-intents.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { testCard } from './card.ts';
import { payUntilKnown, type TapEnd } from './pay-until-known.ts';
import { intentOf, type Line, openScriptedService, paidOf, refusal, type ScriptedService } from './api-under-test.ts';
import { createTerminalClient, type Tap } from './terminal.client.ts';

const id = '0199c1d2-0000-7000-8000-000000000001';
const tap: Tap = {
  attemptId: '0199c1d2-0000-4000-8000-00000000bbbb',
  card: testCard('approved'),
  entryMode: 'CHIP',
  emv: new Secret({ '5A': '4242424242424242' }),
  terms: 3,
};
const paid = { status: 201, body: paidOf(id) };
const pending = { status: 200, body: { id, status: 'PENDING' } };
const unknownYet = { status: 202, body: { id, status: 'PENDING' } };

let service: ScriptedService;
afterEach(() => service.shut());

/** Taps once, at a service that answers these lines, and returns how the tap ended. */
async function tapAt(
  lines: Partial<Record<'next' | 'ask' | 'payment', Line[]>>,
  tapGoodForMs = 30_000,
): Promise<TapEnd> {
  service = await openScriptedService(lines);
  const { baseUrl } = service;
  // On a slow machine an answer may take long. A short limit is for silence, which has to be waited out.
  const answerWithinMs = lines.payment?.includes('silence') ? 1_500 : 20_000;
  const client = createTerminalClient({ baseUrl, key: new Secret('tk_1'), answerWithinMs });
  const { signal } = new AbortController();
  return payUntilKnown({ client, signal, tapGoodForMs, onUnclear: () => {} }, id, tap);
}

const attempts = () => service.of('payment').map(({ body }) => body['attemptId']);

test('a tap sends the card as the contract takes it, with the terminal’s key', async () => {
  expect(await tapAt({ payment: [paid] })).toEqual({ kind: 'paid', paid: paid.body });
  const [sent] = service.of('payment');
  expect(sent).toMatchObject({ url: `/api/terminal/v1/payment-intent/${id}/payment`, key: 'tk_1' });
  const read = intentPaymentBody.parse(sent?.body);
  expect(read).toMatchObject({ attemptId: tap.attemptId, terms: 3, card: { entryMode: 'CHIP', expirationYear: 2039 } });
  expect(read.card.number.reveal()).toBe('4242424242424242');
  expect(read.card.emv.reveal()).toEqual({ '5A': '4242424242424242' });
});

test.each<[string, Line]>([
  ['a connection that is cut', 'cut'],
  ['no answer in time', 'silence'],
  ['a page of some proxy', { status: 502, page: '<h1>Bad gateway</h1>' }],
  ['an answer that is no paid intent', { status: 201, body: { id, status: 'CONFIRMED' } }],
  ['500', { status: 500, body: refusal('INTERNAL_ERROR') }],
  ['502', { status: 502, body: refusal('BAD_GATEWAY') }],
  ['503', { status: 503, body: refusal('BANK_UNAVAILABLE') }],
  ['504', { status: 504, body: refusal('GATEWAY_TIMEOUT') }],
  ['409 INTENT_IN_PROGRESS', { status: 409, body: refusal('INTENT_IN_PROGRESS'), retryAfter: '0' }],
])('%s: the same attempt is sent again', async (_what, line) => {
  expect(await tapAt({ payment: [line, line, paid] })).toEqual({ kind: 'paid', paid: paid.body });
  expect(attempts()).toEqual([tap.attemptId, tap.attemptId, tap.attemptId]);
});

test('a Retry-After is waited for', async () => {
  const begun = performance.now();
  await tapAt({ payment: [{ status: 503, body: refusal('BANK_UNAVAILABLE'), retryAfter: '1' }, paid] });
  expect(performance.now() - begun).toBeGreaterThan(990);
});

test('a card that was declined too often is refused at once, however long the limit lasts', async () => {
  const refused = { status: 429, body: refusal('TOO_MANY_ATTEMPTS'), retryAfter: '600' };
  expect(await tapAt({ payment: [refused] })).toMatchObject({ kind: 'refused', code: 'TOO_MANY_ATTEMPTS' });
  expect(attempts()).toHaveLength(1);
});

describe('an outcome that is not known yet', () => {
  test('is asked for, and the payment is found', async () => {
    const end = await tapAt({ payment: [unknownYet], ask: [{ status: 200, body: paidOf(id) }] });
    expect(end).toEqual({ kind: 'paid', paid: paidOf(id) });
    expect(service.of('ask')[0]).toMatchObject({ url: `/api/terminal/v1/payment-intent/${id}`, key: 'tk_1' });
  });

  test('may be a decline, which only the same attempt is answered', async () => {
    const declined = { status: 402, body: refusal('CHARGE_DECLINED', { declineCode: 'do_not_honor', paymentId: id }) };
    const end = await tapAt({ payment: [unknownYet, unknownYet, declined], ask: [pending] });
    expect(end).toEqual({ kind: 'declined', declineCode: 'do_not_honor', paymentId: id });
    expect(new Set(attempts())).toEqual(new Set([tap.attemptId]));
  });

  test('is sent for however long it takes, because the service has the tap', async () => {
    expect(await tapAt({ payment: [unknownYet, 'cut', 'cut', paid], ask: [pending] }, 100)).toMatchObject({
      kind: 'paid',
    });
    expect(attempts()).toHaveLength(4);
  });
});

describe('a tap that perhaps never arrived and is too old to be sent again', () => {
  test('is asked about, and the receipt comes', async () => {
    const end = await tapAt({ payment: ['cut'], ask: [pending, { status: 200, body: paidOf(id) }], next: [] }, 1);
    expect(end).toEqual({ kind: 'paid', paid: paidOf(id) });
    expect(attempts()).toHaveLength(1);
  });

  test('is asked about also after a 503 of ours, which may have come after the charge was asked for', async () => {
    const refused = { status: 503, body: refusal('SERVICE_UNAVAILABLE') };
    expect(await tapAt({ payment: [refused], ask: [{ status: 200, body: paidOf(id) }], next: [] }, 1)).toEqual({
      kind: 'paid',
      paid: paidOf(id),
    });
  });

  test('has charged nothing where the intent is offered again', async () => {
    const next: Line[] = [{ status: 204 }, { status: 200, body: intentOf(id) }];
    expect(await tapAt({ payment: ['cut'], ask: [pending], next }, 1)).toEqual({ kind: 'notCharged' });
    expect(attempts()).toHaveLength(1);
    expect(service.of('next')).toHaveLength(2);
  });

  test('has charged nothing where the intent is cancelled', async () => {
    const ask = [{ status: 200, body: { id, status: 'CANCELLED' } }];
    expect(await tapAt({ payment: ['cut'], ask }, 1)).toMatchObject({ kind: 'refused', code: 'INTENT_NOT_PENDING' });
  });

  test('is not asked about where every answer said that nothing was sent', async () => {
    expect(await tapAt({ payment: [{ status: 503, body: refusal('BANK_UNAVAILABLE') }] }, 1)).toEqual({
      kind: 'notCharged',
    });
    expect(service.of('ask')).toEqual([]);
  });
});

describe('a refused key', () => {
  const unauthorized = { status: 401, body: refusal('UNAUTHORIZED') };
  test('ends a tap that was never taken', async () => {
    expect(await tapAt({ payment: [unauthorized] })).toMatchObject({ kind: 'refused', code: 'UNAUTHORIZED' });
  });

  test('does not end a tap that may have charged the card', async () => {
    expect(await tapAt({ payment: ['cut', unauthorized, paid] })).toMatchObject({ kind: 'paid' });
  });
});

test.each(['INTENT_NOT_PENDING', 'INTENT_EXPIRED', 'ATTEMPT_MISMATCH'])('%s ends the tap at once', async (code) => {
  expect(await tapAt({ payment: [{ status: 409, body: refusal(code) }] })).toMatchObject({ kind: 'refused', code });
  expect(attempts()).toHaveLength(1);
});

test('a refusal of the vault is a decline without a payment', async () => {
  const declined = refusal('CHARGE_DECLINED', { declineCode: 'unsupported_network', paymentId: null });
  expect(await tapAt({ payment: [{ status: 402, body: declined }] })).toEqual({
    kind: 'declined',
    declineCode: 'unsupported_network',
    paymentId: undefined,
  });
});
