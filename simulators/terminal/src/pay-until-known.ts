import { setTimeout as sleep } from 'node:timers/promises';
import type { paidIntent } from '@cobro/contracts/payment-intents.ts';
import type { payPaymentIntent } from '@cobro/contracts/routes/payment-intents.ts';
import type { z } from 'zod';
import { growingPauses } from './pauses.ts';
import type { Refused, Tap, TerminalClient, Result } from './terminal.client.ts';

export type PaidIntent = z.output<typeof paidIntent>;

/** How a tap ended. Only `paid` has charged the card. */
export type TapEnd =
  | { kind: 'paid'; paid: PaidIntent }
  | { kind: 'declined'; declineCode: string; paymentId: string | undefined }
  | { kind: 'refused'; code: string; message: string }
  /** The service never got the tap, or could not take it, and the intent is still open. */
  | { kind: 'notCharged' };

export interface Paying {
  client: TerminalClient;
  signal: AbortSignal;
  /** How long a tap may be sent that perhaps never arrived. */
  tapGoodForMs: number;
  /** The attempt has no outcome yet and goes on. */
  onUnclear: (why: string) => void;
}

/** Pauses between the requests of one tap. */
const TRY_AGAIN = { firstMs: 250, longestMs: 10_000 };

/**
 * Pays with one tap, and comes back when the outcome is known, however often an answer is lost on the way. Every request is the
 * same attempt, so the card is charged once at most.
 *
 * A tap that the service has taken (202) may be sent again at any time, because that starts nothing new. A tap that perhaps never
 * arrived is sent for `tapGoodForMs` only: later the cardholder may have left, and must not be charged behind their back. From
 * then on the terminal only asks what became of it.
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
    await sleep(pauses.next(result.kind === 'refused' ? result.retryAfterMs : 0), undefined, { signal });
    const paid = so.taken ? await askIfPaid(paying, intentId) : undefined;
    if (paid !== undefined) return paid;
  }
  return so.mayBeCharged ? askUntilKnown(paying, intentId) : { kind: 'notCharged' };
}

/** Undefined while the outcome is not known. */
function endOf(result: Result<typeof payPaymentIntent>, mayBeCharged: boolean): TapEnd | undefined {
  if (result.kind === 'lost') return undefined;
  if (result.kind === 'done')
    return result.answer.status === 201 ? { kind: 'paid', paid: result.answer.body } : undefined;
  const { status, code, message, declineCode, paymentId } = result;
  if (status === 402) return { kind: 'declined', declineCode: declineCode ?? code, paymentId };
  if (isTemporary(result) || (mayBeCharged && (status === 401 || status === 403))) return undefined;
  return { kind: 'refused', code, message };
}

const isTemporary = ({ status, code }: Refused) =>
  code === 'INTENT_IN_PROGRESS' || (status >= 500 && code !== 'NOT_IMPLEMENTED');

/** BANK_UNAVAILABLE says that nothing was charged; a 409, that this attempt has not begun. Any other 503 may come after the claim. */
const provesNothingSent = (result: Result<typeof payPaymentIntent>) =>
  result.kind === 'refused' && ([401, 403, 409, 429].includes(result.status) || result.code === 'BANK_UNAVAILABLE');

function reasonOf(result: Result<typeof payPaymentIntent>): string {
  if (result.kind === 'lost') return result.why;
  return result.kind === 'refused' ? result.code : 'the bank has not answered yet';
}

/** Undefined where the intent is not paid, as far as anybody says. Declined and "not known yet" look alike here. */
async function askIfPaid({ client, signal }: Paying, intentId: string): Promise<TapEnd | undefined> {
  const result = await client.ask(intentId, signal);
  return result.kind === 'done' && 'paymentId' in result.answer.body
    ? { kind: 'paid', paid: result.answer.body }
    : undefined;
}

async function askUntilKnown(paying: Paying, intentId: string): Promise<TapEnd> {
  const pauses = growingPauses(TRY_AGAIN);
  for (;;) {
    const result = await paying.client.ask(intentId, paying.signal);
    if (result.kind === 'refused' && result.status === 404) return result;
    if (result.kind === 'done') {
      const { body } = result.answer;
      if ('paymentId' in body) return { kind: 'paid', paid: body };
      if (body.status !== 'PENDING')
        return { kind: 'refused', code: 'INTENT_NOT_PENDING', message: `The intent is ${body.status}.` };
      if (await isOffered(paying, intentId)) return { kind: 'notCharged' };
    }
    await sleep(pauses.next(), undefined, { signal: paying.signal });
  }
}

/** An intent that is being charged is never offered. So one that is offered has no charge under way, and none that succeeded. */
async function isOffered({ client, signal }: Paying, intentId: string): Promise<boolean> {
  const result = await client.next(0, signal);
  return result.kind === 'done' && result.answer.status === 200 && result.answer.body.id === intentId;
}
