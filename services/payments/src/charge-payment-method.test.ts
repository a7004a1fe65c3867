import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';

describe('a charge of a saved card', () => {
  let services: RunningServices;
  let merchant: TestMerchant;
  beforeAll(async () => {
    services = await startServices({ services: ['payments', 'holds'] });
    merchant = await testMerchant(services);
  });
  afterAll(() => services.stop());

  test('is confirmed', async () => {
    const card = await merchant.saveCard();

    const answer = await merchant.charge(card.id);

    expect(answer.status).toBe(201);
  });
});
