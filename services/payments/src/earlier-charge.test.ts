import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';

describe('the same charge while the bank is slow with the first', () => {
  let services: RunningServices;
  let merchant: TestMerchant;
  let card: string;

  beforeAll(async () => {
    services = await startServices({
      services: ['payments'],
      replicas: { payments: 2 },
      env: { BANK_CALL_TIMEOUT_MS: '5000' },
    });
    merchant = await testMerchant(services);
    card = (await merchant.saveCard(testCards.slow)).id;
  });
  afterAll(() => services.stop());

  /** The nth request goes to one of the two replicas. */
  const send = (externalId: string, n: number, amount = 100) => {
    const path = `/payment-method/${card}/payment`;
    return merchant.call({ method: 'POST', path, body: { amount, externalId }, replica: n % 2 });
  };
  const sales = async () => (await services.bank.operations()).filter(({ kind }) => kind === 'sale');

  test('waits for it, in whichever replica it comes, and answers the same', async () => {
    await services.bank.setFaults({ slowMs: 700 });
    const before = await sales();
    const first = send('patient', 0);
    await sleep(150);
    const others = Promise.all(Array.from({ length: 20 }, (_, n) => send('patient', n)));
    const open = await services.db('payments').one<{ count: number }>(sql`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and usename <> current_user and state <> 'idle' and now() - xact_start > '100 ms'`);
    expect(open.count).toBe(0);
    const original = await first;
    expect(original).toMatchObject({ status: 201, body: { status: 'CONFIRMED' } });
    for (const answer of await others) {
      expect(answer).toMatchObject({ status: 201, body: original.body });
      expect(answer.headers.get('idempotent-replayed')).toBe('true');
    }
    expect(await sales()).toHaveLength(before.length + 1);
  });

  test('is in progress after two seconds', async () => {
    await services.bank.setFaults({ slowMs: 3_500 });
    const before = await sales();
    const first = send('impatient', 0);
    await sleep(150);
    const begun = performance.now();
    const other = await send('impatient', 1);
    const waited = performance.now() - begun;
    expect(other).toMatchObject({ status: 409, body: { code: 'CHARGE_IN_PROGRESS' } });
    expect(other.headers.get('retry-after')).toBe('1');
    expect(waited).toBeGreaterThan(1_900);
    expect(waited).toBeLessThan(3_000);
    expect(await send('impatient', 1, 50)).toMatchObject({ status: 409, body: { code: 'EXTERNAL_ID_MISMATCH' } });
    const original = await first;
    expect(original).toMatchObject({ status: 201 });
    expect((other.body as { paymentId: string }).paymentId).toBe((original.body as Payment).id);
    expect(await send('impatient', 1)).toMatchObject({ status: 201, body: original.body });
    expect(await sales()).toHaveLength(before.length + 1);
  });

  test('goes on when the merchant leaves', async () => {
    await services.bank.setFaults({ slowMs: 500 });
    const url = `${services.url('payments')}/payment-method/${card}/payment`;
    const headers = {
      'content-type': 'application/json',
      'x-internal-token': await services.keys.token('gateway', merchant.caller),
    };
    const body = JSON.stringify({ amount: 100, externalId: 'left' });
    const signal = AbortSignal.timeout(200);
    await expect(fetch(url, { method: 'POST', headers, body, signal })).rejects.toThrow();
    expect(await send('left', 1)).toMatchObject({ status: 201, body: { status: 'CONFIRMED' } });
  });
});
