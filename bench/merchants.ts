import { createClient } from '@cobro/client/client.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { registerMerchant, withCommands } from '../dev/seed/run-command.ts';
import type { Stack } from '../dev/stack/stack.ts';
import type { Merchant } from './payment-requests.ts';

/** Makes each an organization of its own, because the calls to the bank of one organization are bounded. */
export async function makeMerchants(stack: Stack, count: number, say: (line: string) => void): Promise<Merchant[]> {
  say(`making ${count} merchants`);
  const merchants: Merchant[] = [];
  while (merchants.length < count) {
    const next = Array.from({ length: Math.min(4, count - merchants.length) }, (_, i) => merchants.length + i + 1);
    merchants.push(...(await Promise.all(next.map((n) => makeMerchant(stack, n)))));
  }
  return merchants;
}

/** An organization with a key and fees. `databaseUrl` is the administrator's. */
export const createMerchant = (databaseUrl: string, name: string) =>
  withCommands(databaseUrl, (run) => registerMerchant(run, name));

async function makeMerchant({ baseUrl, databaseUrl }: Stack, n: number): Promise<Merchant> {
  const { apiKey } = await createMerchant(databaseUrl, `Merchant ${n}`);
  return { apiKey, card: await saveCard(baseUrl, apiKey, testCards.approved) };
}

/** Saves a card and returns its id. */
export async function saveCard(baseUrl: string, apiKey: string, number: string): Promise<string> {
  const card = { number, expirationMonth: 12, expirationYear: 2039, cvc: '123', holderName: 'Ana Torres' };
  const saved = await createClient({ baseUrl, apiKey }).paymentMethods.save({ card });
  return (await saved.settled()).id;
}
