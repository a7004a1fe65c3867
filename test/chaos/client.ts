import { anAddress } from '@cobro/testing/test-links.ts';
import { Pool } from 'undici';
import { type History, type Known, microseconds, type Part, type Timed } from './history.ts';

export interface Request {
  method?: 'GET' | 'POST' | 'PATCH';
  path: string;
  key?: string | undefined;
  terminalKey?: string;
  body?: object;
}

export interface Answer extends Timed {
  /** 0 if no answer came. */
  status: number;
  code: string | undefined;
  body: Record<string, unknown>;
  /** The status and the code of a refusal, or `cut`. */
  answer: string;
}

/** One request that ended, for the picture and the balance. */
export interface Ended {
  /** `performance.now()` in seconds. */
  at: number;
  ms: number;
  what: string;
  status: number;
  code: string | undefined;
  retryAfter: string | undefined;
}

export type Client = ReturnType<Line['client']>;

export type Line = ReturnType<typeof openLine>;

const ANSWER_WITHIN_MS = 30_000;

/** Sends requests to the gateways in turn, and records each. It retries nothing. */
export function openLine(gateways: string[], history: History) {
  const pools = gateways.map((url) => new Pool(url, { connections: 64, headersTimeout: ANSWER_WITHIN_MS }));
  const ended: Ended[] = [];
  let turn = 0;
  const send = async ({ method = 'POST', path, key, terminalKey, body }: Request): Promise<Answer> => {
    const pool = pools[turn++ % pools.length] as Pool;
    const start = microseconds();
    const what = `${method} ${path.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '…').split('?')[0]}`;
    const note = (status: number, code: string | undefined, retryAfter?: string) => {
      const end = microseconds();
      ended.push({ at: start / 1e6, ms: (end - start) / 1_000, what, status, code, retryAfter });
      return {
        start,
        end: isOpenEnd(status) ? null : end,
        status,
        code,
        answer: status === 0 ? 'cut' : [status, code].filter(Boolean).join(' '),
      };
    };
    try {
      const response = await pool.request({
        method,
        path: `/api${path}`,
        headers: {
          'x-forwarded-for': anAddress(),
          ...(key !== undefined && { 'x-api-key': key }),
          ...(terminalKey !== undefined && { 'x-terminal-key': terminalKey }),
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body ? JSON.stringify(body) : null,
      });
      const text = await response.body.text();
      const json = readJson(text);
      const retryAfter = response.headers['retry-after'] as string | undefined;
      return { ...note(response.statusCode, json['code'] as string | undefined, retryAfter), body: json };
    } catch {
      return { ...note(0, undefined), body: {} };
    }
  };
  return {
    ended,
    client: (n: number) => {
      const note = (part: Part, op: string, known: Known, { start, end, answer, body }: Answer, out = shownIn(body)) =>
        history.note({ ...part, client: n, op, in: known, start, end, answer, out });
      return {
        send,
        note,
        /** Sends it, and records its answer for this part. */
        call: async (part: Part, op: string, known: Known, request: Request) => {
          const answer = await send(request);
          note(part, op, known, answer);
          return answer;
        },
      };
    },
    close: async () => void (await Promise.all(pools.map((pool) => pool.destroy()))),
  };
}

/** For text that is not JSON, a code that no answer has. */
function readJson(text: string): Record<string, unknown> {
  try {
    return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return { code: 'NOT_JSON' };
  }
}

/** True if the outcome of a request with this status is not known. */
export const isOpenEnd = (status: number): boolean => status === 0 || status === 202 || status >= 500;

export const centavosOf = (pesos: unknown) => (typeof pesos === 'number' ? Math.round(pesos * 100) : undefined);

/** What an answer shows of a payment, a one-time payment, an intent or a subscription. */
export const shownIn = ({ id, status, amount, heldAmount, ...body }: Record<string, unknown>): Known => ({
  id: id as string | undefined,
  status: status as string | undefined,
  amount: centavosOf(amount),
  held: centavosOf(heldAmount),
  reason: (body['endReason'] ?? undefined) as string | undefined,
  atEnd: body['cancelAtPeriodEnd'] as boolean | undefined,
  periods: body['currentPeriod'] ? [body['currentPeriod'] as { number: number; status: string }] : undefined,
});
