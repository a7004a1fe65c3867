import { testCards } from '@cobro/contracts/test-cards.ts';
import { createMerchant } from '../../tools/stack/merchants.ts';
import type { Stack } from '../../tools/stack/stack.ts';
import type { Merchant } from './driver.ts';

/** An organization of its own with a key, fees and a saved card. */
export async function makeMerchant({ baseUrl, databaseUrl }: Stack, n: number): Promise<Merchant> {
  const { apiKey } = await createMerchant(databaseUrl, `Merchant ${n}`);
  const card = { expirationMonth: 12, expirationYear: 2039, cvc: '123', holderName: 'Ana Torres' };
  const response = await fetch(`${baseUrl}/payment-method`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ card: { ...card, number: testCards.approved } }),
  });
  if (response.status !== 201) throw new Error(`saving a card answered ${response.status}`);
  return { apiKey, card: ((await response.json()) as { id: string }).id };
}
