import { type Client, createClient } from '@cobro/client/merchant.ts';
import type { Caller } from '@cobro/contracts/caller.ts';
import { counter } from '@cobro/metrics/instruments.ts';
import { traceHeaders } from '@cobro/metrics/trace-headers.ts';
import { TOKEN_HEADER, type TokenSigner } from '@cobro/service-kit/internal-token.ts';
import { connectToOwn, type OwnTls } from '@cobro/service-kit/own-certificate.ts';
import { Agent, fetch } from 'undici';

/** The public API in the name of a person, for one request of theirs. */
export type OpenApi = (person: Caller & { kind: 'person' }, requestId: string) => Client;

export interface Api {
  open: OpenApi;
  close(): Promise<void>;
}

const CONNECTIONS = 128;
/** Of browsers that wait for news, so that no page waits behind them. */
const WAITING_CONNECTIONS = 4_096;

/** @param peopleUrl the gateway's port for people, which alone takes these tokens */
export function openApi(options: { peopleUrl: string; sign: TokenSigner; tls: OwnTls | undefined }): Api {
  const connect = connectToOwn(options.tls);
  const pages = new Agent({ connections: CONNECTIONS, connect });
  const waiting = new Agent({ connections: WAITING_CONNECTIONS, connect });
  const count = counter('cobro.dashboard.calls');
  const baseUrl = `${options.peopleUrl.replace(/\/$/, '')}/api`;
  return {
    open: (person, requestId) =>
      createClient({
        baseUrl,
        headers: { 'x-request-id': requestId },
        fetch: async (url, { headers, ...init }) => {
          const isWaiting = url.includes('waitSeconds=');
          const dispatcher = isWaiting ? waiting : pages;
          const token = await options.sign(person, 'gateway');
          const sent = { ...init, dispatcher, headers: { ...headers, [TOKEN_HEADER]: token, ...traceHeaders() } };
          try {
            const answer = await fetch(url, sent);
            count({ outcome: 'answered' });
            return answer;
          } catch (error) {
            // Who waits for news leaves when the browser does.
            if (!isWaiting) count({ outcome: 'lost' });
            throw error;
          }
        },
      }),
    close: async () => {
      await Promise.all([pages.close(), waiting.close()]);
    },
  };
}
