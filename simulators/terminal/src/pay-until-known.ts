import { setTimeout as sleep } from 'node:timers/promises';
import type { Refusal } from '@cobro/client/refusal.ts';
import type { PaidIntent } from '@cobro/client/api.ts';
import { growingPauses, retryAfterOf } from './pauses.ts';
import type { ResultOf, Tap, TerminalClient } from './terminal.client.ts';

/** How a tap ended. Only `paid` has charged the card. */
export type TapEnd =
  | { kind: 'paid'; paid: PaidIntent }
  | { kind: 'declined'; declineCode: string; paymentId: string | undefined }
  | { kind: 'refused'; code: string; message: string }
  /** The service never got the tap, or could not take it, and the intent is still open. */
  | { kind: 'notCharged' };

type PayResult = ResultOf<'payPaymentIntent'>;

export interface Paying {
  client: TerminalClient;
  signal: AbortSignal;
  /** How long a tap that perhaps never arrived may be sent again. */
  tapGoodForMs: number;
  /** The attempt has no outcome yet and goes on. */
  onUnclear: (why: string) => void;
}

/** Pauses between the requests of one tap. */
const TRY_AGAIN = { firstMs: 250, longestMs: 10_000 };

/**
 * Pays with one tap, and returns when the outcome is known. Every request is the same attempt, so the card is charged once at
 * most.
 *
 * A tap that the service has taken (202) may be sent again at any time. A tap that perhaps never arrived is sent for
 * `tapGoodForMs` only: later the cardholder may have left, and must not be charged behind their back. From then on the terminal
 * only asks what became of it.
 */
export async function payUntilKnown(paying: Paying, intentId: string, tap: Tap): Promise<TapEnd> {
  const { client, signal, tapGoodForMs, onUnclear } = paying;
  const pauses = growingPauses(TRY_AGAIN);
  const goodUntil = performance.now() + tapGoodForMs;
  const so = { taken: false, mayBeCharged: false };
  while (so.taken || performance.now() < goodUntil) {
    const result = await client.pay(intentId, tap, signal);
    const end = endOf(result, so.mayBeCharged);
    if (end !== undefined) return end;
    so.taken ||= result.kind === 'done';
    so.mayBeCharged ||= !provesNothingSent(result);
    onUnclear(reasonOf(result));
    await sleep(pauses.next(retryAfterOf(result)), undefined, { signal });
    const paid = so.taken ? await askIfPaid(paying, intentId) : undefined;
    if (paid !== undefined) return paid;
  }
  return so.mayBeCharged ? askUntilKnown(paying, intentId) : { kind: 'notCharged' };
}

/** Returns undefined while the outcome is not known. */
function endOf(result: PayResult, mayBeCharged: boolean): TapEnd | undefined {
  if (result.kind === 'lost') return undefined;
  if (result.kind === 'done')
    return result.status === 201 && 'paymentId' in result.value ? { kind: 'paid', paid: result.value } : undefined;
  const { refusal } = result;
  const { status, code, message } = refusal;
  if (refusal.code === 'CHARGE_DECLINED') {
    return { kind: 'declined', declineCode: refusal.declineCode, paymentId: refusal.paymentId ?? undefined };
  }
  if (isTemporary(refusal) || (mayBeCharged && (status === 401 || status === 403))) return undefined;
  return { kind: 'refused', code, message };
}

/** A 409 with a Retry-After means that something is under way; a 429 is shown to the cashier. */
const isTemporary = ({ status, code, retryAfterMs }: Refusal) =>
  (status === 409 && retryAfterMs !== undefined) || (status >= 500 && code !== 'NOT_IMPLEMENTED');

/** BANK_UNAVAILABLE says that nothing was charged; a 409, that this attempt has not begun. Any other 503 may come after the claim. */
const provesNothingSent = (result: PayResult) =>
  result.kind === 'refused' &&
  ([401, 403, 409, 429].includes(result.refusal.status) || result.refusal.code === 'BANK_UNAVAILABLE');

function reasonOf(result: PayResult): string {
  if (result.kind === 'lost') return result.why;
  return result.kind === 'refused' ? result.refusal.code : 'the bank has not answered yet';
}

/** Returns undefined unless the service says that the intent is paid. Declined and "not known yet" look alike here. */
async function askIfPaid({ client, signal }: Paying, intentId: string): Promise<TapEnd | undefined> {
  const result = await client.ask(intentId, signal);
  return result.kind === 'done' && 'paymentId' in result.value ? { kind: 'paid', paid: result.value } : undefined;
}

async function askUntilKnown(paying: Paying, intentId: string): Promise<TapEnd> {
  const pauses = growingPauses(TRY_AGAIN);
  for (;;) {
    const result = await paying.client.ask(intentId, paying.signal);
    if (result.kind === 'refused' && result.refusal.status === 404) {
      const { code, message } = result.refusal;
      return { kind: 'refused', code, message };
    }
    if (result.kind === 'done') {
      const { value } = result;
      if ('paymentId' in value) return { kind: 'paid', paid: value };
      if (value.status !== 'PENDING')
        return { kind: 'refused', code: 'INTENT_NOT_PENDING', message: `The intent is ${value.status}.` };
      if (await isOffered(paying, intentId)) return { kind: 'notCharged' };
    }
    await sleep(pauses.next(), undefined, { signal: paying.signal });
  }
}

/** An intent that is being charged is never offered. So an offered one has no charge that is under way or succeeded. */
async function isOffered({ client, signal }: Paying, intentId: string): Promise<boolean> {
  const result = await client.next(0, signal);
  return result.kind === 'done' && result.value?.id === intentId;
}
