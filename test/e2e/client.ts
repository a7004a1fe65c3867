import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Sent {
  /** Sent as JSON; text as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

export type Send = <Body = Record<string, unknown>>(method: string, path: string, sent?: Sent) => Promise<Answer<Body>>;

/** Somebody with a key at one of the two APIs. Nothing is sent twice by itself. */
export interface Client {
  send: Send;
  /** Saves a card that every organization can save; its id. @throws where the answer is no 201 */
  saveCard(number?: string): Promise<string>;
  /** `body` is what is sent besides an amount of 100. */
  charge(card: string, body?: object): Promise<Answer<Payment>>;
  hold(card: string, body?: object): Promise<Answer<Payment>>;
  /** Without an amount: all of it. */
  capture(card: string, payment: string, amount?: number): Promise<Answer<Payment>>;
  release(card: string, payment: string): Promise<Answer<Payment>>;
  refund(card: string, payment: string): Promise<Answer<Payment>>;
  read(card: string, payment: string): Promise<Answer<Payment>>;
}

/** Every answer that came to this file's clients, headers and body, for the story that looks for secrets in them. */
export const answersSoFar: string[] = [];

/** @param apiKey none: no key is sent */
export const createClient = (baseUrl: string, apiKey: string | undefined): Client => clientOf(sendTo(baseUrl, apiKey));

export function sendTo(baseUrl: string, apiKey: string | undefined): Send {
  return async (method, path, { body, headers = {} } = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    answersSoFar.push(`${response.status} ${JSON.stringify([...response.headers])} ${text}`);
    return { status: response.status, headers: response.headers, body: parsed(text) as never };
  };
}

export function clientOf(send: Send): Client {
  const charge: Client['charge'] = (card, body) =>
    send('POST', `/payment-method/${card}/payment`, { body: { amount: 100, ...body } });
  const operate = (card: string, payment: string, operation: string, body?: object) =>
    send<Payment>('POST', `/payment-method/${card}/payment/${payment}/${operation}`, body && { body });
  return {
    send,
    charge,
    saveCard: async (number = testCards.approved) => {
      const saved = await send('POST', '/payment-method', { body: { card: cardBody(number) } });
      if (saved.status !== 201) throw new Error(`the card was not saved: ${JSON.stringify(saved.body)}`);
      return String(saved.body['id']);
    },
    hold: (card, body) => charge(card, { holdFunds: true, ...body }),
    capture: (card, payment, amount) =>
      operate(card, payment, 'capture', amount === undefined ? undefined : { amount }),
    release: (card, payment) => operate(card, payment, 'release'),
    refund: (card, payment) => operate(card, payment, 'refund', { reason: 'returned goods' }),
    read: (card, payment) => send('GET', `/payment-method/${card}/payment/${payment}`),
  };
}

/** Parsed JSON, or the text where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
