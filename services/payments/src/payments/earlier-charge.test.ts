import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAtTheBank } from '@cobro/testing/at-the-bank.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';

let services: RunningServices;
let merchant: TestMerchant;
let card: string;

beforeAll(async () => {
  services = await startServices({
    services: ['payments', 'holds'],
    replicas: { payments: 2 },
    env: { BANK_CALL_TIMEOUT_MS: '8000' },
  });
  merchant = await testMerchant(services);
  card = (await merchant.saveCard()).id;
});
afterAll(() => services.stop());

const idOf = ({ body }: { body: unknown }) => (body as Payment).id;

/** Counts the bank's operations with money so far. */
const askedTheBank = async () => (await services.bank.operations()).filter(({ kind }) => kind !== 'tokenize').length;

/**
 * Returns the answers with the outcome, and expects them to be equal. On a slow machine the last ones say that the charge is in
 * progress.
 */
function answeredAlike(answers: HttpAnswer[], status: number): HttpAnswer[] {
  const alike = answers.filter((answer) => answer.status === status);
  for (const answer of alike) expect(answer.body).toEqual(alike[0]?.body);
  for (const answer of answers.filter((one) => !alike.includes(one))) {
    expect(answer).toMatchObject(refusal(409, 'CHARGE_IN_PROGRESS'));
  }
  return alike;
}

/** The nth request goes to one of the two replicas. */
const charge = (externalId: string, n: number, { of = card, amount = 100 } = {}) =>
  merchant.call({
    method: 'POST',
    path: `/payment-method/${of}/payment`,
    body: { amount, externalId },
    replica: n % 2,
  });

describe('an externalId', () => {
  test('is the same charge for ever, whatever else is said', async () => {
    const before = await askedTheBank();
    const first = await merchant.charge(card, { externalId: 'same', description: 'one' });
    const again = await merchant.charge(card, { externalId: 'same', description: 'two', holdFunds: true });
    expect(again).toMatchObject({ status: 201, body: first.body as object });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const otherCard = (await merchant.saveCard(testCards.amexCredit)).id;
    expect(await charge('same', 1, { amount: 100.01 })).toMatchObject(refusal(409, 'EXTERNAL_ID_MISMATCH'));
    expect(await charge('same', 1, { of: otherCard })).toMatchObject(refusal(409, 'EXTERNAL_ID_MISMATCH'));
    expect(await askedTheBank()).toBe(before + 1);
  });

  test('is compared byte by byte, and the empty one is none', async () => {
    const ids = ['', '', 'Ä', 'ä', 'A\u0308', ' ä', 'ä '];
    const answers = await Promise.all(ids.map((externalId, n) => charge(externalId, n)));
    expect(new Set(answers.map(idOf)).size).toBe(7);
    expect(answers[0]).toMatchObject({ status: 201, body: { externalId: null } });
  });

  test('belongs to one organization', async () => {
    const other = await testMerchant(services);
    const theirs = await other.charge((await other.saveCard()).id, { externalId: 'same' });
    expect(theirs.status).toBe(201);
    expect(theirs.headers.get('idempotent-replayed')).toBeNull();
  });

  test('replayed shows the payment as it is now, and a captured hold by what was held', async () => {
    const hold = await merchant.charge(card, { holdFunds: true, externalId: 'as it is' });
    const path = `/payment-method/${card}/payment/${idOf(hold)}/capture`;
    const captured = await merchant.call({ method: 'POST', path, body: { amount: 10 } });
    expect(captured.status).toBe(200);
    const read = () => merchant.call({ path: `/payment-method/${card}/payment/${idOf(hold)}` });
    await until('payments follows', async () => ((await read()).body as Payment).status === 'CONFIRMED');
    expect(await charge('as it is', 1)).toMatchObject({ status: 201, body: captured.body as object });
    expect(await charge('as it is', 1, { amount: 10 })).toMatchObject(refusal(409, 'EXTERNAL_ID_MISMATCH'));
  });

  test('sent 50 times at once charges once', async () => {
    const before = await askedTheBank();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => patiently(() => charge('fifty', n))));
    const made = answeredAlike(answers, 201).filter(({ headers }) => headers.get('idempotent-replayed') === null);
    expect(made).toHaveLength(1);
    expect(await askedTheBank()).toBe(before + 1);
  });

  test('sent 20 times at once for a card that declines is declined once', async () => {
    const of = (await merchant.saveCard(testCards.declined)).id;
    const before = await askedTheBank();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => patiently(() => charge('twenty', n, { of }))),
    );
    expect(answeredAlike(answers, 402).length).toBeGreaterThan(0);
    expect(await askedTheBank()).toBe(before + 1);
  });

  test('sent at once for different charges is one of them', async () => {
    const before = await askedTheBank();
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((amount) => charge('which', amount, { amount })));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409]);
    expect(await askedTheBank()).toBe(before + 1);
  });
});

describe('the same charge while the bank is slow with the first', () => {
  let slow: string;
  beforeAll(async () => {
    slow = (await merchant.saveCard()).id;
  });

  const holdSale = () => services.bank.setFaults({ next: [{ kind: 'sale', fault: 'held' }] });

  test('waits for it, in whichever replica it comes, and answers the same', async () => {
    await holdSale();
    const before = await askedTheBank();
    const first = charge('patient', 0, { of: slow });
    await untilAtTheBank(services, 'payments');
    const waiting = Array.from({ length: 10 }, async (_, n) => {
      const send = () => charge('patient', n, { of: slow });
      let answer = await send();
      // A slow machine may take longer than the two seconds that a replay waits.
      await until('the first is done', async () => {
        if (answer.status === 409) answer = await send();
        return answer.status !== 409;
      });
      return answer;
    });
    await sleep(300);
    await services.bank.setFaults({});
    const others = await Promise.all(waiting);
    const original = await first;
    expect(original).toMatchObject({ status: 201, body: { status: 'CONFIRMED' } });
    for (const answer of others) {
      expect(answer).toMatchObject({ status: 201, body: original.body as object });
      expect(answer.headers.get('idempotent-replayed')).toBe('true');
    }
    expect(await askedTheBank()).toBe(before + 1);
  });

  test('is in progress after two seconds', async () => {
    await holdSale();
    const before = await askedTheBank();
    const first = charge('impatient', 0, { of: slow });
    await untilAtTheBank(services, 'payments');
    const begun = performance.now();
    const answers = Promise.all(Array.from({ length: 10 }, () => charge('impatient', 1, { of: slow })));
    await sleep(200);
    await until('nobody waits with a transaction open', async () => {
      const open = await services.db('payments').one<{ count: number }>(sql`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and usename <> current_user and state <> 'idle' and now() - xact_start > '100 ms'`);
      return open.count === 0;
    });
    const others = await answers;
    expect(performance.now() - begun).toBeGreaterThan(1_900);
    const mismatch = await charge('impatient', 1, { of: slow, amount: 50 });
    expect(mismatch).toMatchObject(refusal(409, 'EXTERNAL_ID_MISMATCH'));
    await services.bank.setFaults({});
    const original = await first;
    expect(original.status).toBe(201);
    for (const other of others) {
      expect(other).toMatchObject(refusal(409, 'CHARGE_IN_PROGRESS'));
      expect(other.headers.get('retry-after')).toBe('1');
      expect(other.body).toMatchObject({ paymentId: idOf(original) });
    }
    expect(await charge('impatient', 1, { of: slow })).toMatchObject({ status: 201, body: original.body as object });
    expect(await askedTheBank()).toBe(before + 1);
  });

  test('goes on when the merchant leaves', async () => {
    await holdSale();
    const url = `${services.url('payments')}/payment-method/${slow}/payment`;
    const headers = {
      'content-type': 'application/json',
      'x-internal-token': await services.keys.token('gateway', merchant.caller, 'payments'),
    };
    const body = JSON.stringify({ amount: 100, externalId: 'left' });
    const leaving = new AbortController();
    const left = fetch(url, { method: 'POST', headers, body, signal: leaving.signal }).catch(String);
    await untilAtTheBank(services, 'payments');
    leaving.abort();
    expect(await left).toMatch(/aborted/);
    await services.bank.setFaults({});
    await until('it is done', async () => (await charge('left', 1, { of: slow })).status !== 409);
    expect(await charge('left', 1, { of: slow })).toMatchObject({ status: 201, body: { status: 'CONFIRMED' } });
  });
});
