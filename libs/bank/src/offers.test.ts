import { describe, expect, test } from '@jest/globals';
import type { Capabilities } from '@cobro/contracts/acquirer/capabilities.ts';
import type { Refusal } from '@cobro/contracts/refusals.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { startBank } from '@cobro/testing/start-bank.ts';
import { until } from '@cobro/testing/until.ts';
import { openBank } from './bank-client.ts';
import { refuseNotOffered, type Wanted, watchOffers } from './offers.ts';

const capabilities: Capabilities = {
  name: 'narrow',
  protocol: 1,
  live: false,
  cardPresent: false,
  terms: [1, 3],
  minimumPerTerm: 10_000,
  minimumAmount: 1_000,
  maximumAmount: 50_000,
  installments: 'AT_ONCE',
  inquiry: 'close',
  keepsKeysDays: null,
  settlementReport: true,
  networks: ['VISA'],
};

/** The code of the refusal, if there is one. */
function refusalOf(wanted: Wanted, by: Capabilities | undefined): string | undefined {
  try {
    refuseNotOffered(by, wanted);
    return undefined;
  } catch (error) {
    return (error as Refusal).code;
  }
}

describe('what the bank cannot do is refused', () => {
  test.each<[string, Wanted, string | undefined]>([
    ['the smallest amount', { amount: 1_000n }, undefined],
    ['the largest amount', { amount: 50_000n }, undefined],
    ['less', { amount: 999n }, 'NOT_OFFERED_BY_ACQUIRER'],
    ['more', { amount: 50_001n }, 'NOT_OFFERED_BY_ACQUIRER'],
    ['a card at a terminal', { amount: 1_000n, isCardPresent: true }, 'NOT_OFFERED_BY_ACQUIRER'],
    ['installments', { amount: 30_000n, terms: 3 }, undefined],
    ['installments that are too small', { amount: 29_999n, terms: 3 }, 'TERMS_NOT_AVAILABLE'],
    ['other terms', { amount: 50_000n, terms: 6 }, 'TERMS_NOT_AVAILABLE'],
    ['other terms, and too much', { amount: 50_001n, terms: 6 }, 'TERMS_NOT_AVAILABLE'],
  ])('%s', (_what, wanted, code) => {
    expect(refusalOf(wanted, capabilities)).toBe(code);
    expect(refusalOf(wanted, undefined)).toBeUndefined();
  });
});

test('the capabilities are read with our token, as soon as the bank is there, and stay known while it is away', async () => {
  const simulator = await startBank({ ACCEPTED_TOKENS: 'old,new' });
  await simulator.kill();
  const address = { url: simulator.url, connections: 1, connectTimeoutMs: 20_000, callTimeoutMs: 20_000 };
  const [bank, stranger] = [openBank({ ...address, token: new Secret('new') }), openBank(address)];
  const offers = watchOffers(bank);
  expect(await bank.capabilities()).toBeUndefined();
  expect(offers.current()).toBeUndefined();
  await simulator.start();
  await until('they are read', () => offers.current()?.name === 'simulator');
  expect(await stranger.capabilities()).toBeUndefined();
  await simulator.kill();
  expect(await bank.capabilities()).toBeUndefined();
  expect(offers.current()?.name).toBe('simulator');
  offers.stop();
  await Promise.all([bank.close(), stranger.close(), simulator.close()]);
});
