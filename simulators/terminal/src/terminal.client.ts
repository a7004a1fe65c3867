import { createTerminal } from '@cobro/client/terminal.ts';
import type { RouteName, Routes } from '@cobro/client/api.ts';
import type { ValueOf } from '@cobro/client/call.ts';
import type { Result } from '@cobro/client/refusal.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import type { Card, EntryMode } from './card.ts';

type PayBody = Routes['payPaymentIntent']['body'];

/** One tap of a card. Every request of it sends the same fields, so that the service sees one attempt. */
export interface Tap {
  attemptId: string;
  card: Card;
  entryMode: EntryMode;
  emv?: Secret<Record<string, string>>;
  terms?: PayBody['terms'];
}

export type ResultOf<N extends RouteName> = Result<ValueOf<N>, Routes[N]['refusals']>;

/** The requests of one terminal. The client repeats none. Every request ends with the signal, by throwing its reason. */
export type TerminalClient = ReturnType<typeof createTerminalClient>;

export interface ClientOptions {
  /** Base address of the main API; ends in /api. */
  baseUrl: string;
  key: Secret<string>;
  /** How long an answer may take; 25 s unless given, because the gateway gives up after 20 s. */
  answerWithinMs?: number;
}

export function createTerminalClient({ baseUrl, key, answerWithinMs = 25_000 }: ClientOptions) {
  // The terminal itself decides what it sends again, and when: a cardholder may have left meanwhile.
  const options = { baseUrl, terminalKey: key.reveal(), withinMs: answerWithinMs, attempts: 1 };
  const terminal = createTerminal(options);
  return {
    next: (waitSeconds: number, signal: AbortSignal) => terminal.next(waitSeconds, { signal }).result(),
    ask: (intentId: string, signal: AbortSignal) => terminal.ask(intentId, { signal }).result(),
    pay: (intentId: string, tap: Tap, signal: AbortSignal) => terminal.pay(intentId, bodyOf(tap), { signal }).result(),
    decline: (intentId: string, body: Routes['declinePaymentIntent']['body'], signal: AbortSignal) =>
      terminal.decline(intentId, body, { signal }).result(),
  };
}

function bodyOf({ attemptId, card, entryMode, emv, terms }: Tap): PayBody {
  const { number, ...expiry } = card;
  return { attemptId, card: { number: number.reveal(), ...expiry, entryMode, emv: emv?.reveal() }, terms };
}
