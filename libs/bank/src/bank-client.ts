import type { CardInput, TappedCard } from '@cobro/contracts/payment-methods.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { withTimeLimit } from '@cobro/contracts/time-limit.ts';
import { Pool } from 'undici';
import { z } from 'zod';
import type { Approved, Bank, BankRequest, Declined, Lane } from './bank.ts';

export interface BankClientOptions {
  url: string;
  /** Connections for live calls: as many as calls may be under way at once, so that no call waits for another. */
  connections: number;
  connectTimeoutMs: number;
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
]);

const said = {
  reference: z.string().nullable().default(null),
  time: z.iso.datetime().transform((iso) => new Date(iso)),
  authCode: z.string().nullable().default(null),
  resultCode: z.string().nullable().default(null),
  text: z.string().nullable().default(null),
};
const vaulted = {
  token: z.string().transform((token) => new Secret(token)),
  lastFourDigits: z.string(),
  network: z.string(),
  fundingSource: z.string(),
  issuingBank: z.string(),
};
const approved = z.object({ outcome: z.literal('approved'), ...said });
const approvedWithCard = z.object({ ...approved.shape, ...vaulted });
const declined = z.object({
  outcome: z.literal('declined'),
  declineCode: z.string(),
  ...said,
  // The bank keeps no record of a refused tokenization, so that decline has no time of its own.
  time: said.time.optional().transform((time) => time ?? new Date()),
});
const notFound = z.object({ outcome: z.literal('not_found'), closed: z.boolean() });

const PATHS = {
  tokenize: '/tokens',
  authorize: '/authorizations',
  sale: '/sales',
  capture: '/captures',
  void: '/voids',
  refund: '/refunds',
} as const;

/** Inquiries and the expiry of holds use these; each of the two asks for 20 things at once. */
const BACKGROUND_CONNECTIONS = 40;

/** The bank over HTTP. Every way in which a call can end is a value; nothing is thrown. */
export function openBank(options: BankClientOptions): Bank {
  const open = (connections: number) =>
    new Pool(options.url, { connections, connect: { timeout: options.connectTimeoutMs } });
  const pools: Record<Lane, Pool> = { live: open(options.connections), background: open(BACKGROUND_CONNECTIONS) };
  const post = (lane: Lane, path: string, key: string | undefined, body: unknown, timeoutMs: number) =>
    withTimeLimit(timeoutMs, async (signal) => {
      const { statusCode, body: answer } = await pools[lane].request({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
        body: JSON.stringify(body),
        signal,
      });
      const json = await answer.json();
      return statusCode === 200 ? json : undefined;
    });
  return {
    send: async (key, request, deadline, lane) => {
      const timeoutMs = Math.floor(deadline - performance.now());
      if (timeoutMs <= 0) return { outcome: 'unreachable' };
      try {
        return answerOf(await post(lane, PATHS[request.kind], key, bodyOf(request), timeoutMs));
      } catch (error) {
        return { outcome: nothingSent(error) ? 'unreachable' : 'unknown' };
      }
    },
    inquire: async (key, close) => {
      try {
        const question = { idempotencyKey: key, close };
        const json = await post('background', '/inquiries', undefined, question, options.callTimeoutMs);
        const missing = notFound.safeParse(json);
        return missing.success ? missing.data : answerOf(json);
      } catch {
        return { outcome: 'unknown' };
      }
    },
    close: async () => void (await Promise.all([pools.live.close(), pools.background.close()])),
  };
}

function nothingSent(error: unknown): boolean {
  const { code, syscall, errors } = error as { code?: string; syscall?: string; errors?: unknown[] };
  if (errors !== undefined) return errors.every(nothingSent);
  // A network that becomes unreachable under an open connection gives the same codes, so the system call must be part of
  // connecting.
  return NOTHING_SENT.has(code ?? '') && (syscall === undefined || syscall === 'connect' || syscall === 'getaddrinfo');
}

function answerOf(json: unknown): Approved | Declined | { outcome: 'unknown' } {
  const withCard = approvedWithCard.safeParse(json);
  if (withCard.success) {
    const { token, lastFourDigits, network, fundingSource, issuingBank, ...rest } = withCard.data;
    return { ...rest, vaulted: { token, lastFourDigits, network, fundingSource, issuingBank } };
  }
  const read = z.discriminatedUnion('outcome', [approved, declined]).safeParse(json);
  return read.success ? read.data : { outcome: 'unknown' };
}

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
