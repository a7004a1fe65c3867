import type { CardInput, TappedCard } from '@cobro/contracts/payment-methods.ts';
import { exchange } from '@cobro/service-kit/exchange.ts';
import { readAnswer, readInquiryAnswer } from './bank-answer.ts';
import type { Bank, BankRequest } from './bank.ts';
import { backgroundCalls, inquiryCalls } from './bank-permits.ts';
import { type BankAddress, openBankPool } from './bank-pool.ts';
import { inCallSpan } from './operation-span.ts';

export interface BankClientOptions extends BankAddress {
  /** Connections for live calls: as many as calls may be under way at once, so that no call waits for another. */
  connections: number;
  callTimeoutMs: number;
}

// Only these codes say that not a byte of the request was sent. After a connection reset the bank may have acted.
const NOTHING_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'NO_TUNNEL',
]);

const PATHS = {
  tokenize: '/tokens',
  authorize: '/authorizations',
  sale: '/sales',
  capture: '/captures',
  void: '/voids',
  refund: '/refunds',
} as const;

/** The bank over HTTP. Every way in which a call can end is a value; nothing is thrown. */
export function openBank(options: BankClientOptions): Bank {
  const open = (connections: number) => openBankPool(options, connections);
  const pools = {
    live: open(options.connections),
    background: open(backgroundCalls.atOnce + backgroundCalls.slowAtOnce),
    inquiries: open(inquiryCalls.atOnce + inquiryCalls.slowAtOnce),
  };
  const post = async (
    lane: keyof typeof pools,
    path: string,
    key: string | undefined,
    body: unknown,
    withinMs: number,
  ) => {
    const { statusCode, text } = await inCallSpan(path, (trace) => {
      const keyed = key === undefined ? {} : { 'idempotency-key': key };
      const headers = { 'content-type': 'application/json', ...keyed, ...trace };
      const request = { method: 'POST', path, headers, body: JSON.stringify(body) } as const;
      return exchange(pools[lane], request, { withinMs, mostBytes: MOST_BYTES });
    });
    return statusCode === 200 ? (JSON.parse(text) as unknown) : undefined;
  };
  return {
    send: async (key, request, deadline, lane) => {
      const timeoutMs = Math.floor(deadline - performance.now());
      if (timeoutMs <= 0) return { outcome: 'unreachable' };
      try {
        return readAnswer(request.kind, await post(lane, PATHS[request.kind], key, bodyOf(request), timeoutMs));
      } catch (error) {
        return { outcome: nothingSent(error) ? 'unreachable' : 'unknown' };
      }
    },
    inquire: async (key, kind, close) => {
      try {
        const question = { idempotencyKey: key, close };
        return readInquiryAnswer(
          kind,
          await post('inquiries', '/inquiries', undefined, question, options.callTimeoutMs),
        );
      } catch (error) {
        return { outcome: nothingSent(error) ? 'unreachable' : 'unknown' };
      }
    },
    close: async () => void (await Promise.all(Object.values(pools).map((pool) => pool.close()))),
  };
}

function nothingSent(error: unknown): boolean {
  const { code, syscall, errors } = error as { code?: string; syscall?: string; errors?: unknown[] };
  if (errors !== undefined) return errors.every(nothingSent);
  // A network that becomes unreachable under an open connection gives the same codes, so the system call must be part of
  // connecting.
  return NOTHING_SENT.has(code ?? '') && (syscall === undefined || syscall === 'connect' || syscall === 'getaddrinfo');
}

/** No answer of a bank is longer. */
const MOST_BYTES = 65_536;

function bodyOf(request: BankRequest): unknown {
  switch (request.kind) {
    case 'tokenize':
      return cardBody(request.card);
    case 'authorize':
      return { token: request.token.reveal(), amount: Number(request.amount), currency: 'MXN' };
    case 'sale': {
      const { token, amount, terms } = request;
      return { token: token.reveal(), amount: Number(amount), currency: 'MXN', terms };
    }
    case 'capture':
      return { authorization: request.authorization, amount: Number(request.amount) };
    case 'void':
      return { authorization: request.authorization };
    case 'refund':
      return { original: request.original, amount: Number(request.amount) };
  }
}

function cardBody(card: CardInput | TappedCard): unknown {
  const number = card.number.reveal();
  return 'cvc' in card ? { ...card, number, cvc: card.cvc.reveal() } : { ...card, number, emv: card.emv.reveal() };
}
