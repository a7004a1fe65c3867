import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AcquirerChoice } from './acquirer-choice.store.ts';

/** Whether the card may have reached a vault: set before it is sent, reset if provably nothing was sent. */
export interface CardSent {
  mayHaveArrived: boolean;
}

/**
 * Attempts at the organization's acquirer. If that threw BANK_UNAVAILABLE or its result `isUnavailable`, and the first vault
 * provably got nothing, attempts at the fallback.
 */
export async function withFallback<T>(
  { acquirer, fallback }: AcquirerChoice,
  attempt: (acquirer: string, card: CardSent) => Promise<T>,
  isUnavailable: (result: T) => boolean = () => false,
): Promise<T> {
  const card: CardSent = { mayHaveArrived: false };
  if (fallback === null) return attempt(acquirer, card);
  try {
    const result = await attempt(acquirer, card);
    if (card.mayHaveArrived || !isUnavailable(result)) return result;
  } catch (error) {
    const wasUnavailable = error instanceof Refusal && error.code === 'BANK_UNAVAILABLE';
    if (card.mayHaveArrived || !wasUnavailable) throw error;
  }
  return attempt(fallback, card);
}
