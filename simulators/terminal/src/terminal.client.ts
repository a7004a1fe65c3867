import type { declineIntentBody, intentPaymentBody } from '@cobro/contracts/payment-intents.ts';
import type { AnswerOf, RouteContract } from '@cobro/contracts/route.ts';
import {
  askPaymentIntent,
  declinePaymentIntent,
  nextPaymentIntent,
  payPaymentIntent,
} from '@cobro/contracts/routes/payment-intents.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import { z } from 'zod';
import type { Card, EntryMode } from './card.ts';

/** One tap of a card. Every request of the tap carries the same, so that the service knows them for one attempt. */
export interface Tap {
  attemptId: string;
  card: Card;
  entryMode: EntryMode;
  emv?: Secret<Record<string, string>>;
  terms?: z.input<typeof intentPaymentBody>['terms'];
}

/** A no of the API, from its catalogue of refusals. */
export interface Refused {
  kind: 'refused';
  status: number;
  code: string;
  message: string;
  /** Of a card that the bank declined. */
  declineCode: string | undefined;
  paymentId: string | undefined;
  /** What the Retry-After header asked for; 0 where there was none. */
  retryAfterMs: number;
}

/** No answer, or one that is not the API's. Whether the request arrived is not known. */
export interface Lost {
  kind: 'lost';
  why: string;
}

export type Result<C extends RouteContract> = { kind: 'done'; answer: AnswerOf<C> } | Refused | Lost;

/** The requests of one terminal. Nothing is sent twice by itself. Every request ends with the signal, by throwing its reason. */
export interface TerminalClient {
  next(waitSeconds: number, signal: AbortSignal): Promise<Result<typeof nextPaymentIntent>>;
  ask(intentId: string, signal: AbortSignal): Promise<Result<typeof askPaymentIntent>>;
  pay(intentId: string, tap: Tap, signal: AbortSignal): Promise<Result<typeof payPaymentIntent>>;
  decline(
    intentId: string,
    body: z.input<typeof declineIntentBody>,
    signal: AbortSignal,
  ): Promise<Result<typeof declinePaymentIntent>>;
}

export interface ClientOptions {
  /** Base address of the main API; ends in /api. */
  baseUrl: string;
  key: Secret<string>;
  /** How long an answer may take; 25 s unless given, because the gateway gives up after 20 s. */
  answerWithinMs?: number;
}

/** How much longer than it asked to wait a terminal waits for the answer to its long poll. */
const POLL_GRACE_MS = 10_000;

export function createTerminalClient({ baseUrl, key, answerWithinMs = 25_000 }: ClientOptions): TerminalClient {
  const send = <C extends RouteContract>(contract: C, sent: Omit<Sent, 'key'>, signal: AbortSignal) =>
    ask(contract, { ...sent, url: `${baseUrl}${sent.url}`, key }, signal);
  const withId = ({ path }: RouteContract, intentId: string) => path.replace(':id', intentId);
  return {
    next: (waitSeconds, signal) => {
      const withinMs = waitSeconds * 1_000 + Math.min(answerWithinMs, POLL_GRACE_MS);
      const url = `${nextPaymentIntent.path}?waitSeconds=${waitSeconds}`;
      return send(nextPaymentIntent, { url, withinMs }, signal);
    },
    ask: (intentId, signal) =>
      send(askPaymentIntent, { url: withId(askPaymentIntent, intentId), withinMs: answerWithinMs }, signal),
    pay: (intentId, tap, signal) =>
      send(
        payPaymentIntent,
        { url: withId(payPaymentIntent, intentId), withinMs: answerWithinMs, body: bodyOf(tap) },
        signal,
      ),
    decline: (intentId, body, signal) =>
      send(
        declinePaymentIntent,
        { url: withId(declinePaymentIntent, intentId), withinMs: answerWithinMs, body },
        signal,
      ),
  };
}

function bodyOf({ attemptId, card, entryMode, emv, terms }: Tap): z.input<typeof intentPaymentBody> {
  const { number, ...expiry } = card;
  return { attemptId, card: { number: number.reveal(), ...expiry, entryMode, emv: emv?.reveal() }, terms };
}

interface Sent {
  url: string;
  key: Secret<string>;
  withinMs: number;
  body?: object;
}

async function ask<C extends RouteContract>(contract: C, sent: Sent, signal: AbortSignal): Promise<Result<C>> {
  signal.throwIfAborted();
  const own = new AbortController();
  const leave = () => own.abort();
  const timer = setTimeout(leave, sent.withinMs);
  signal.addEventListener('abort', leave);
  try {
    const response = await fetch(sent.url, {
      method: contract.method,
      headers: {
        'x-terminal-key': sent.key.reveal(),
        ...(sent.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
      // The key must not follow a redirection to somebody else.
      redirect: 'error',
      signal: own.signal,
    });
    return readAnswer(contract, response, await response.text());
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'lost', why: own.signal.aborted ? 'no answer in time' : reasonOf(error) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
}

/** `fetch` says "fetch failed", and its cause why: ECONNREFUSED, ECONNRESET, UND_ERR_SOCKET. */
function reasonOf(error: unknown): string {
  const { cause, name } = error as Error;
  return (cause as { code?: string } | undefined)?.code ?? name;
}

const refusal = z.object({
  code: z.string(),
  message: z.string(),
  declineCode: z.string().nullish(),
  paymentId: z.string().nullish(),
});

function readAnswer<C extends RouteContract>(contract: C, { status, headers }: Response, text: string): Result<C> {
  const promised = contract.answers[status];
  const body = parsed(text);
  if (promised !== undefined && 'empty' in promised) return { kind: 'done', answer: { status } as AnswerOf<C> };
  if (promised !== undefined && 'json' in promised && promised.json.safeParse(body).success)
    return { kind: 'done', answer: { status, body } as unknown as AnswerOf<C> };
  const refused = refusal.safeParse(body);
  if (promised !== undefined || status < 400 || !refused.success)
    return { kind: 'lost', why: `an answer ${status} that is not the API's` };
  const { code, message, declineCode, paymentId } = refused.data;
  return {
    kind: 'refused',
    status,
    code,
    message,
    declineCode: declineCode ?? undefined,
    paymentId: paymentId ?? undefined,
    retryAfterMs: 1_000 * (Number(headers.get('retry-after')) || 0),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
