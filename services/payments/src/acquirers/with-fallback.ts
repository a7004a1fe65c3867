import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AcquirerChoice } from './acquirer-choice.store.ts';

/** What an attempt says of its card. Set before the card goes to a vault; taken back where provably nothing was sent. */
export interface CardSent {
  mayHaveArrived: boolean;
}

/**
 * Tries where the organization's new cards go, and at its fallback where that was not possible and the first vault provably got
 * nothing. An attempt that throws BANK_UNAVAILABLE was not possible, and so is one whose result `isUnavailable`.
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
