import type { Call } from '@cobro/client/call.ts';
import type { Fetch } from '@cobro/client/exchange.ts';
import { createClient as createCobro } from '@cobro/client/merchant.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { parsed } from '@cobro/testing/parsed.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Sent {
  /** Sent as JSON, except that text is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

export type Send = <Body = Record<string, unknown>>(method: string, path: string, sent?: Sent) => Promise<Answer<Body>>;

/** A caller with a key at one of the two APIs. It retries nothing. */
export interface Client {
  send: Send;
  /** Saves a card that every organization can save, and returns its id. @throws if the answer is not 201 */
  saveCard(number?: string): Promise<string>;
  /** `body` is added to an amount of 100. */
  charge(card: string, body?: object): Promise<Answer<Payment>>;
  hold(card: string, body?: object): Promise<Answer<Payment>>;
  /** Without an amount it captures all. */
  capture(card: string, payment: string, amount?: number): Promise<Answer<Payment>>;
  release(card: string, payment: string): Promise<Answer<Payment>>;
  refund(card: string, payment: string): Promise<Answer<Payment>>;
  read(card: string, payment: string): Promise<Answer<Payment>>;
}

/** Every answer to this file's clients, headers and body, for the story that searches them for secrets. */
export const answersSoFar: string[] = [];

/** @param apiKey undefined: no key is sent */
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
  const answerTo = answersOf(send);
  const charge: Client['charge'] = (id, body) =>
    answerTo(({ call }) => call('chargePaymentMethod', { params: { id }, body: { amount: 100, ...body } }));
  return {
    send,
    charge,
    saveCard: async (number = testCards.approved) => {
      const saved = await answerTo<Record<string, unknown>>(({ paymentMethods }) =>
        paymentMethods.save({ card: cardBody(number) }),
      );
      if (saved.status !== 201) throw new Error(`the card was not saved: ${JSON.stringify(saved.body)}`);
      return String(saved.body['id']);
    },
    hold: (card, body) => charge(card, { holdFunds: true, ...body }),
    capture: (card, payment, amount) =>
      answerTo(({ payments }) => payments.capture(card, payment, amount === undefined ? {} : { amount })),
    release: (card, payment) => answerTo(({ payments }) => payments.release(card, payment)),
    refund: (card, payment) => answerTo(({ payments }) => payments.refund(card, payment, { reason: 'returned goods' })),
    read: (card, payment) => answerTo(({ payments }) => payments.get(card, payment)),
  };
}

/** Calls by libs/client, as integrators do. Returns the raw answer, because stories check statuses and headers. */
function answersOf(send: Send) {
  return async <Body>(use: (cobro: ReturnType<typeof createCobro>) => Call<unknown>): Promise<Answer<Body>> => {
    let answer: Promise<Answer<Body>> | undefined;
    const fetch: Fetch = async (path, { method, body }) => {
      answer = send<Body>(method, path, body === undefined ? {} : { body });
      const { status, headers, body: answered } = await answer;
      return { status, headers, text: async () => JSON.stringify(answered) };
    };
    await use(createCobro({ baseUrl: '', apiKey: '', attempts: 1, fetch })).result();
    if (answer === undefined) throw new Error('nothing was sent');
    return answer;
  };
}
