import type { Slot } from '@cobro/limits/decline-limits.ts';
import { tooManyAttempts } from '@cobro/service-kit/answer.ts';
import { numberFingerprintOf } from '@cobro/service-kit/number-fingerprint.ts';
import type { OwnDeclineCode } from '@cobro/contracts/own-decline-code.ts';
import type { TappedCard } from '@cobro/contracts/payment-methods.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from '../deps.ts';
import type { AttemptRow } from './attempt.row.ts';
import { endOfAttempt } from './outcome-of-attempt.ts';

interface Counted {
  intentId: string;
  attemptId: string;
  terminalId: string;
  card: TappedCard;
  /** Keyed hash of card and terms. */
  digest: Buffer;
}

type Reserved = Extract<Slot, { refused: false }>;

/**
 * Lets an attempt pass if the decline limits of its card and its terminal allow it (429 otherwise), and counts it if it is declined. The
 * same attempt sent again counts once.
 */
export async function countingDeclines(
  deps: Deps,
  { intentId, attemptId, terminalId, card, digest }: Counted,
  pay: () => Promise<AttemptRow>,
): Promise<AttemptRow> {
  const number = numberFingerprintOf(deps.fingerprintKeys, card).toString('base64url');
  // The digest is in it, so that an attempt sent again with another card frees only its own slot.
  const id = `${intentId}/${attemptId}/${digest.toString('base64url')}`;
  const slot = await deps.declineLimits.reserve({ card: number, terminal: terminalId }, id);
  if (slot.refused) throw tooManyAttempts(slot.retryAfterS);
  try {
    const attempt = await pay();
    if (attempt.status === 'REQUESTED') void settleLater(deps, attempt, slot);
    else await settle(attempt.declineCode, slot);
    return attempt;
  } catch (error) {
    const isDeclined = error instanceof Refusal && error.code === 'CHARGE_DECLINED';
    await (isDeclined ? slot.keep() : slot.free());
    throw error;
  }
}

/** True for our own declines that count, because they say something about the card. */
const SAYS_OF_CARD: { readonly [C in OwnDeclineCode]: boolean } & Readonly<Record<string, boolean>> = {
  bank_unavailable: false,
  not_processed: false,
  terms_not_available: true,
  fee_channel_unknown: true,
};

const settle = (declineCode: string | null, slot: Reserved): Promise<void> =>
  declineCode === null || SAYS_OF_CARD[declineCode] === false ? slot.free() : slot.keep();

/** The terminal was answered 202. If this process ends before the outcome comes, the slot stays taken until it runs out. */
async function settleLater(deps: Deps, requested: AttemptRow, slot: Reserved): Promise<void> {
  const attempt = await endOfAttempt(deps, requested).catch(() => undefined);
  if (attempt !== undefined) await settle(attempt.declineCode, slot);
}
