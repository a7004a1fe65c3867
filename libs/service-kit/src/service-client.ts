import { Refusal } from '@cobro/contracts/refusals.ts';
import { withTimeLimit } from '@cobro/contracts/time-limit.ts';
import { Pool } from 'undici';
import { TOKEN_HEADER, type TokenSigner } from './internal-token.ts';

export interface ServiceClient {
  /** The parsed JSON body of a 2xx; undefined on a 404. Not reachable, not in time or 5xx: refused as SERVICE_UNAVAILABLE. */
  get(path: string): Promise<unknown>;
  /** Rejects unless the answer is 2xx and in time. */
  post(path: string, body: unknown, timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

const GET_TIMEOUT_MS = 3_000;

/** Calls from one service to another, in the caller's own name. */
export function openServiceClient(options: { baseUrl: string; service: string; sign: TokenSigner }): ServiceClient {
  const pool = new Pool(options.baseUrl, { connections: 32, connect: { timeout: 1_000 } });
  const headers = async () => ({
    [TOKEN_HEADER]: await options.sign({ kind: 'service', name: options.service }),
    'content-type': 'application/json',
  });
  return {
    get: async (path) => {
      const answer = await withTimeLimit(GET_TIMEOUT_MS, async (signal) => {
        const { statusCode, body } = await pool.request({ method: 'GET', path, headers: await headers(), signal });
        return { statusCode, body: await body.json() };
      }).catch(() => undefined);
      if (answer?.statusCode === 404) return undefined;
      if (answer?.statusCode !== 200) throw new Refusal('SERVICE_UNAVAILABLE');
      return answer.body;
    },
    post: (path, body, timeoutMs) =>
      withTimeLimit(timeoutMs, async (signal) => {
        const json = JSON.stringify(body);
        const answer = await pool.request({ method: 'POST', path, headers: await headers(), body: json, signal });
        await answer.body.dump();
        if (answer.statusCode >= 300) throw new Error(`answered ${answer.statusCode}`);
      }),
    close: () => pool.close(),
  };
}
