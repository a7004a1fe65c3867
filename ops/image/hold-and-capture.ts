import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@cobro/client/merchant.ts';
import { NoAnswerError, RefusalError } from '@cobro/client/refusal.ts';
import { NotSettledError, type Settling } from '@cobro/client/settling.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { makeFirstMerchant } from './first-merchant.ts';
import { needed } from './environment.ts';

const READY_WITHIN_MS = 60_000;
const KNOWN_WITHIN_MS = 45_000;
const FOLLOWS_WITHIN_MS = 30_000;

/**
 * Saves a card, holds funds on it, captures a part, and waits until the developer API shows it: through every service, the bank and the
 * broker. A 202 is read again until its outcome is known. @throws with a sentence if an answer is not as it should be
 */
export async function holdAndCapture({ knownWithinMs = KNOWN_WITHIN_MS } = {}): Promise<void> {
  const apiKey = process.env['API_KEY'] ?? (await makeFirstMerchant()).apiKey;
  const merchant = createClient({ baseUrl: needed('BASE_URL'), apiKey });
  const known = async <T extends { status: string }>(what: string, status: string, answer: Settling<T>): Promise<T> => {
    const outcome = await answer.settled({ withinMs: knownWithinMs }).catch((error: unknown) => {
      if (!(error instanceof NotSettledError)) throw error;
      throw new Error(`What became of the ${what} is not known after ${knownWithinMs / 1_000} s: ${error.message}.`);
    });
    if (outcome.status !== status) throw new Error(`The ${what} is ${outcome.status}, not ${status}.`);
    return outcome;
  };
  const toSave = { card: testCard, externalId: randomUUID() };
  // A network policy lets a new pod through some seconds after its start, and a new key is known at once.
  const saved = await patiently(READY_WITHIN_MS, () => merchant.paymentMethods.save(toSave, { attempts: 1 }));
  const card = await known('saved card', 'ACTIVE', saved);
  const toHold = { amount: 1000, externalId: randomUUID() };
  const held = await known('hold', 'HELD', await merchant.payments.hold(card.id, toHold));
  console.log(`held ${held.amount}: ${held.status}`);
  const capture = async () => {
    const shown = await merchant.payments.get(card.id, held.id);
    if (shown.status !== 'HELD') return shown;
    return known('capture', 'CONFIRMED', await merchant.payments.capture(card.id, held.id, { amount: 640.75 }));
  };
  const captured = await patiently(READY_WITHIN_MS, capture, isLeftOpen);
  console.log(`captured ${captured.amount}: ${captured.status}`);
  await patiently(FOLLOWS_WITHIN_MS, async () => {
    const shown = await merchant.developer.get(held.id);
    if (shown.status !== 'CONFIRMED' || shown.amount !== 640.75) {
      throw new Error(`the developer API shows ${JSON.stringify(shown)}`);
    }
  });
  console.log('the developer API shows it');
}

const testCard = {
  number: testCards.approved,
  expirationMonth: 12,
  expirationYear: 2039,
  cvc: '123',
  holderName: 'Ana Torres',
};

/** Whether the request may have been done or not. The client repeats by itself requests with an externalId; a capture has none. */
const isLeftOpen = (error: unknown) =>
  error instanceof NoAnswerError || (error instanceof RefusalError && [409, 503, 504].includes(error.refusal.status));

/** Tries again each half second. @throws the last error after `ms` milliseconds, or an error after which trying again is wrong */
async function patiently<T>(ms: number, attempt: () => Promise<T>, mayRepeat = (_: unknown) => true): Promise<T> {
  for (const end = Date.now() + ms; ; await sleep(500)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end || !mayRepeat(error)) throw error;
    }
  }
}
