import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { traceHeaders } from '@cobro/metrics/trace-headers.ts';
import Pool from 'undici/lib/dispatcher/pool.js';
import { boundedQueue, NoConnection } from './connection-queue.ts';
import { REMAINING_HEADER } from './deadline.ts';
import { exchange } from './exchange.ts';
import { TOKEN_HEADER, type TokenSigner } from './internal-token.ts';
import { connectToOwn, type OwnTls } from './own-certificate.ts';
import { patienceAfter, waitAfter } from './patience.ts';

export interface ServiceClient {
  /**
   * The parsed JSON body of a 200; undefined on a 404. Refused as SERVICE_UNAVAILABLE if the service cannot be reached, is too
   * late or answers anything else. `deadline` (a `performance.now()` value) is the deadline of the request for which we ask. Takes 3 s at
   * most, or `mostMs`. Asks again for two seconds if no answer came, for eight if connecting timed out.
   */
  get(path: string, deadline: number, mostMs?: number): Promise<unknown>;
  /** Rejects unless the service answers 2xx and in time. */
  post(path: string, body: unknown, timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

const GET_TIMEOUT_MS = 3_000;
/** `mostMs` for a request that is refused without the answer. It leaves a request for money enough time for a call to the bank. */
export const NEEDED_ANSWER_MS = 8_000;
const CONNECTIONS = 32;

/** Calls from one service to another, in the calling service's own name. */
export function openServiceClient(options: {
  baseUrl: string;
  /** The calling service. */
  service: string;
  /** The service that is called. */
  to: string;
  sign: TokenSigner;
  tls?: OwnTls | undefined;
}): ServiceClient {
  const pool = new Pool(options.baseUrl, { connections: CONNECTIONS, connect: connectToOwn(options.tls) }).compose(
    boundedQueue(CONNECTIONS),
  );
  const headers = async (timeoutMs: number) => ({
    [TOKEN_HEADER]: await options.sign({ kind: 'service', name: options.service }, options.to),
    [REMAINING_HEADER]: String(timeoutMs),
    'content-type': 'application/json',
    ...traceHeaders(),
  });
  return {
    get: async (path, deadline, mostMs = GET_TIMEOUT_MS) => {
      const timeoutMs = Math.min(mostMs, Math.floor(deadline - performance.now()));
      if (timeoutMs <= 0) throw new Refusal('SERVICE_UNAVAILABLE');
      const begun = performance.now();
      const until = begun + timeoutMs;
      const sent = { method: 'GET', path, headers: await headers(timeoutMs) } as const;
      const ask = async (tries: number): Promise<{ statusCode: number; body: unknown } | undefined> => {
        try {
          const { statusCode, text } = await exchange(pool, sent, { withinMs: Math.max(1, until - performance.now()) });
          return { statusCode, body: JSON.parse(text) as unknown };
        } catch (error) {
          const patientUntil = Math.min(until, begun + patienceAfter(error));
          if (error instanceof NoConnection || performance.now() >= patientUntil) return undefined;
          await sleep(waitAfter(tries));
          return ask(tries + 1);
        }
      };
      const answer = await ask(0);
      if (answer?.statusCode === 404) return undefined;
      if (answer?.statusCode !== 200) throw new Refusal('SERVICE_UNAVAILABLE');
      return answer.body;
    },
    post: async (path, body, withinMs) => {
      const sent = { method: 'POST', path, headers: await headers(withinMs), body: JSON.stringify(body) } as const;
      const { statusCode } = await exchange(pool, sent, { withinMs });
      if (statusCode >= 300) throw new Error(`answered ${statusCode}`);
    },
    close: () => pool.close(),
  };
}
