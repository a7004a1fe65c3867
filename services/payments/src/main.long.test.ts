import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { untilAtTheBank } from '@cobro/testing/at-the-bank.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';

describe('payments, asked to end', () => {
  let services: RunningServices;
  let merchant: TestMerchant;
  beforeAll(async () => {
    services = await startServices({
      services: ['payments'],
      env: { DRAIN_DELAY_MS: '2500', BANK_CALL_TIMEOUT_MS: '15000' },
    });
    merchant = await testMerchant(services);
  });
  afterAll(() => services.stop());

  test('says so, serves on for a while, answers what has begun, and exits with 0', async () => {
    const card = (await merchant.saveCard(testCards.slow)).id;
    // Longer than the process serves on, so that this answer is one of the last.
    await services.bank.setFaults({ slowMs: 4_000 });
    const running = merchant.charge(card, { externalId: 'in its last second' });
    await untilAtTheBank(services, 'payments');
    const ended = services.terminate('payments');
    await until(
      'it is not ready',
      async () => (await services.call('payments', { path: '/health/ready' })).status === 503,
    );
    const late = await merchant.call({ path: `/payment-method/${card}` });
    expect(late.status).toBe(200);
    const answer = await running;
    expect(answer.headers.get('connection')).toBe('close');
    expect(answer).toMatchObject({ status: 201, body: { status: 'CONFIRMED' } });
    expect(await ended).toBe(0);

    await services.restart('payments');
    expect(await merchant.charge(card, { externalId: 'in its last second' })).toMatchObject({
      status: 201,
      body: answer.body,
    });
  });

  test('writes down what the bank answers to a merchant who has left', async () => {
    const card = (await merchant.saveCard()).id;
    await services.bank.setFaults({ next: [{ kind: 'sale', fault: 'held' }] });
    const url = `${services.url('payments')}/payment-method/${card}/payment`;
    const headers = {
      'content-type': 'application/json',
      'x-internal-token': await services.keys.token('gateway', merchant.caller, 'payments'),
    };
    const body = JSON.stringify({ amount: 100 });
    const leaving = new AbortController();
    const left = fetch(url, { method: 'POST', headers, body, signal: leaving.signal }).catch(String);
    await untilAtTheBank(services, 'payments');
    leaving.abort();
    expect(await left).toMatch(/aborted/);
    const ended = services.terminate('payments');
    await services.bank.setFaults({});
    expect(await ended).toBe(0);
    await services.restart('payments');
    const { items } = (await merchant.call({ path: `/payment-method/${card}/payment` })).body as { items: Payment[] };
    expect(items).toMatchObject([{ status: 'CONFIRMED', amount: 100 }]);
  });
});
