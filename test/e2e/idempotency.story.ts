import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { bankOperations } from '@cobro/testing/bank-operations.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import type { Answer } from './client.ts';
import type { StackUnderTest } from './stack-under-test.ts';

const AT_ONCE = 50;

/** The same request, many times at once: one payment, one call to the bank. */
export function idempotency({ stack, merchant }: StackUnderTest): void {
  /** The answers to `AT_ONCE` requests, without those for which a slow machine had no connection left. */
  const atOnce = async (request: (n: number) => Promise<Answer<Payment>>) => {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => request(n)));
    const served = answers.filter(({ status, body }) => status !== 503 || codeOf(body) !== 'SERVICE_UNAVAILABLE');
    expect(served.length).toBeGreaterThan(AT_ONCE / 10);
    return served;
  };
  const together = (card: string, body: (n: number) => object) => atOnce((n) => merchant().charge(card, body(n)));
  /** The bank's operations of this amount, which only one test uses. */
  const atBank = async (amount: number) =>
    (await bankOperations(stack().bankUrl)).filter((operation) => operation.amount === amount * 100);

  test.each([
    ['charge', { amount: 11.11 }, 'CONFIRMED', 'sale'],
    ['hold', { amount: 22.22, holdFunds: true }, 'HELD', 'authorize'],
  ])('fifty of one %s at once reach the bank once', async (what, body, status, kind) => {
    const card = await merchant().saveCard();
    const answers = await together(card, () => ({ ...body, externalId: `at-once-${what}` }));
    const payment = madeBy(answers);
    expect(payment).toMatchObject({ status, amount: body.amount });
    expect(await atBank(body.amount)).toMatchObject([{ kind, outcome: 'approved' }]);
    const later = await merchant().charge(card, { ...body, externalId: `at-once-${what}` });
    expect(later).toMatchObject({ status: 201, body: { id: payment.id } });
    expect(later.headers.get('idempotent-replayed')).toBe('true');
  });

  test('fifty of a charge that the bank is slow with: one waits it out, the others are answered from it', async () => {
    const card = await merchant().saveCard(testCards.slow);
    const answers = await together(card, () => ({ amount: 33.33, externalId: 'at-once-slow' }));
    const payment = madeBy(answers);
    expect(await atBank(33.33)).toMatchObject([{ kind: 'sale', outcome: 'approved' }]);
    const list = await merchant().send('GET', `/payment-method/${card}/payment`);
    expect(list.body).toMatchObject({ count: 1, items: [{ id: payment.id, status: 'CONFIRMED' }] });
  });

  test('fifty of a charge that the bank declines: all get the one decline', async () => {
    const card = await merchant().saveCard(testCards.declined);
    const answers = await together(card, () => ({ amount: 44.44, externalId: 'at-once-declined' }));
    const answered = answers.filter(({ status }) => status !== 409);
    expect(new Set(answered.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answered[0]).toMatchObject({ status: 402, body: { code: 'CHARGE_DECLINED' } });
    expect(await atBank(44.44)).toMatchObject([{ kind: 'sale', outcome: 'declined' }]);
  });

  test('fifty with one externalId and different amounts: one is made, the others are mismatches', async () => {
    const card = await merchant().saveCard();
    const answers = await together(card, (n) => ({ amount: 55 + n / 100, externalId: 'at-once-mismatch' }));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201).map(({ body }) => codeOf(body));
    expect(new Set(refused)).toEqual(new Set(['EXTERNAL_ID_MISMATCH']));
  });

  test('fifty captures of one hold at once: one capture', async () => {
    const card = await merchant().saveCard();
    const { id } = (await merchant().hold(card, { amount: 66.66 })).body;
    const answers = await atOnce(() => merchant().capture(card, id, 60.06));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => codeOf(body)));
    expect([...refused].filter((code) => !['CAPTURE_IN_PROGRESS', 'PAYMENT_NOT_HELD'].includes(code))).toEqual([]);
    expect(await atBank(60.06)).toMatchObject([{ kind: 'capture', outcome: 'approved' }]);
  });

  test('fifty refunds of one charge at once: one refund', async () => {
    const card = await merchant().saveCard();
    const { id } = (await merchant().charge(card, { amount: 77.77 })).body;
    const answers = await atOnce(() => merchant().refund(card, id));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refunds = (await atBank(77.77)).filter(({ kind }) => kind === 'refund');
    expect(refunds).toMatchObject([{ outcome: 'approved' }]);
    await until('it is refunded', async () => (await merchant().read(card, id)).body.status === 'REFUNDED');
  });
}

/** The payment in the answers with 201; all others must be CHARGE_IN_PROGRESS. */
function madeBy(answers: Answer<Payment>[]): Payment {
  const made = answers.filter(({ status }) => status === 201).map(({ body }) => body);
  const [first] = made;
  if (first === undefined) throw new Error(`none made a payment: ${JSON.stringify(answers[0])}`);
  for (const payment of made) expect(payment).toEqual(first);
  for (const { status, body, headers } of answers) {
    if (status === 201) continue;
    expect({ status, body }).toMatchObject({ status: 409, body: { code: 'CHARGE_IN_PROGRESS', paymentId: first.id } });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  return first;
}

const codeOf = (body: unknown) => (body as { code: string }).code;
