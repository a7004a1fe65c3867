import { capabilities } from '@cobro/contracts/acquirer/capabilities.ts';
import type { OperationKind, SentOperation } from '@cobro/contracts/acquirer/operation-requests.ts';
import { acquirerRoutes } from '@cobro/contracts/acquirer/routes.ts';
import { exchange } from '@cobro/service-kit/exchange.ts';
import { readAnswer, readInquiryAnswer, readProblem } from './bank-answer.ts';
import type { Bank, BankRequest, CardToExchange, ChargeOfCard } from './bank.ts';
import { backgroundCalls, inquiryCalls } from './bank-permits.ts';
import { authorizationOf, type BankAddress, openBankPool } from './bank-pool.ts';
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

/** The bank over HTTP. Every way in which a call can end is a value; nothing is thrown. */
export function openBank(options: BankClientOptions): Bank {
  const open = (connections: number) => openBankPool(options, connections);
  const pools = {
    live: open(options.connections),
    background: open(backgroundCalls.atOnce + backgroundCalls.slowAtOnce),
    inquiries: open(inquiryCalls.atOnce + inquiryCalls.slowAtOnce),
  };
  const post = (lane: keyof typeof pools, path: string, key: string | undefined, body: unknown, withinMs: number) =>
    inCallSpan(path, (trace) => {
      const keyed = key === undefined ? {} : { 'idempotency-key': key };
      const headers = { 'content-type': 'application/json', ...authorizationOf(options), ...keyed, ...trace };
      const request = { method: 'POST', path, headers, body: JSON.stringify(body) } as const;
      return exchange(pools[lane], request, { withinMs, mostBytes: MOST_BYTES });
    });
  return {
    send: async (key, request, deadline, lane) => {
      const timeoutMs = Math.floor(deadline - performance.now());
      if (timeoutMs <= 0) return { outcome: 'unreachable' };
      const { kind } = request;
      try {
        const { statusCode, text } = await post(lane, acquirerRoutes[kind].path, key, bodyOf(request), timeoutMs);
        const json: unknown = JSON.parse(text);
        return statusCode === 200 ? readAnswer(kind, json) : readProblem(statusCode, json);
      } catch (error) {
        return { outcome: nothingSent(error) ? 'unreachable' : 'unknown' };
      }
    },
    inquire: async (key, kind, close) => {
      try {
        const question = { idempotencyKey: key, close };
        const { path } = acquirerRoutes.inquire;
        const { statusCode, text } = await post('inquiries', path, undefined, question, options.callTimeoutMs);
        return statusCode === 200 ? readInquiryAnswer(kind, JSON.parse(text)) : { outcome: 'unknown' };
      } catch (error) {
        return { outcome: nothingSent(error) ? 'unreachable' : 'unknown' };
      }
    },
    capabilities: async () => {
      const { method, path } = acquirerRoutes.capabilities;
      const request = { method, path, headers: authorizationOf(options) } as const;
      const bounds = { withinMs: options.callTimeoutMs, mostBytes: MOST_BYTES };
      try {
        const { statusCode, text } = await exchange(pools.inquiries, request, bounds);
        return statusCode === 200 ? capabilities.safeParse(JSON.parse(text)).data : undefined;
      } catch {
        return undefined;
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

function bodyOf(request: BankRequest): SentOperation[OperationKind] {
  switch (request.kind) {
    case 'tokenize':
      return cardBody(request);
    case 'authorize':
      return chargeBody(request);
    case 'sale':
      return { ...chargeBody(request), terms: request.terms, ...(request.recurring && { recurring: true }) };
    case 'capture':
      return { authorization: request.authorization, amount: Number(request.amount) };
    case 'void':
      return { authorization: request.authorization };
    case 'refund':
      return { original: request.original, amount: Number(request.amount) };
  }
}

function cardBody({ card, use }: CardToExchange): SentOperation['tokenize'] {
  const number = card.number.reveal();
  return 'cvc' in card
    ? { ...card, number, cvc: card.cvc.reveal(), use }
    : { ...card, number, emv: card.emv.reveal(), use: 'once' };
}

const chargeBody = ({ token, amount, initiatedBy, organizationId }: ChargeOfCard): SentOperation['authorize'] => ({
  token: token.reveal(),
  amount: Number(amount),
  currency: 'MXN',
  initiatedBy,
  merchant: { id: organizationId, descriptor: null },
});
