import { setTimeout as sleep } from 'node:timers/promises';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { makeFirstMerchant } from './first-merchant.ts';
import { needed } from './environment.ts';

const READY_WITHIN_MS = 60_000;
const FOLLOWS_WITHIN_MS = 30_000;

/**
 * Saves a card, holds funds on it, captures a part, and waits until the developer API shows it: through every service, the bank
 * and the broker. @throws with a sentence where an answer is not as it should be
 */
export async function holdAndCapture(): Promise<void> {
  const baseUrl = needed('BASE_URL').replace(/\/$/, '');
  const ask = asking(baseUrl, process.env['API_KEY'] ?? (await makeFirstMerchant()).apiKey);
  // A network policy lets a new pod through some seconds after its start, and a new key is known at once.
  const card = await patiently(READY_WITHIN_MS, () => ask('POST', '/payment-method', 201, { card: testCard }));
  const path = `/payment-method/${card.id}/payment`;
  const held = await ask('POST', path, 201, { amount: 1000, holdFunds: true });
  console.log(`held ${held.amount}: ${held.status}`);
  const captured = await ask('POST', `${path}/${held.id}/capture`, 200, { amount: 640.75 });
  console.log(`captured ${captured.amount}: ${captured.status}`);
  await patiently(FOLLOWS_WITHIN_MS, async () => {
    const shown = await ask('GET', `/developer/v1/payment/${held.id}`, 200);
    if (shown.status !== 'CONFIRMED' || shown.amount !== 640.75) {
      throw new Error(`the developer API shows ${JSON.stringify(shown)}`);
    }
  });
  console.log('the developer API shows it');
}

/** What is read of the answers, those of saved cards too. */
interface Payment {
  id: string;
  status: string;
  amount: number;
}

const testCard = {
  number: testCards.approved,
  expirationMonth: 12,
  expirationYear: 2039,
  cvc: '123',
  holderName: 'Ana Torres',
};

const asking =
  (baseUrl: string, apiKey: string) =>
  async (method: string, path: string, status: number, body?: object): Promise<Payment> => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    });
    const text = await answer.text();
    if (answer.status !== status)
      throw new Error(`${method} ${path} answered ${answer.status}, not ${status}: ${text}`);
    return JSON.parse(text) as Payment;
  };

/** Tries again each half second. @throws the last error after `ms` milliseconds */
async function patiently<T>(ms: number, attempt: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + ms; ; await sleep(500)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
