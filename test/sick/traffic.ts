import { withCheckDigit } from '@cobro/testing/card-numbers.ts';
import { payer } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { centavosOf, isOpenEnd, shownIn } from '../chaos/client.ts';
import { type Call, type History, microseconds } from '../chaos/history.ts';
import type { Merchant } from '../../bench/payment-requests.ts';

/** How one request of a merchant ended. */
export interface Ended {
  what: string;
  reads: boolean;
  /** When the request was sent, a `performance.now()` value. */
  at: number;
  ms: number;
  /** 0 if no answer came; `code` then says why. */
  status: number;
  code: string | undefined;
  retryAfter: string | undefined;
}

export interface Traffic {
  ended: Ended[];
  /** By payment id, the status in the last successful answer. A request without an outcome leaves none. */
  promised: Map<string, string>;
  /** The ids of all payments that a successful answer has named, whatever happened to them later. */
  answered: Set<string>;
  /** Sends nothing more, and waits for the requests under way. */
  stop(): Promise<void>;
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** For the steps: a merchant's requests, and one of its payments to read. */
interface Hand {
  merchant: Merchant;
  payment: string;
  send: (what: string, method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer | undefined>;
  /** Sends a request that changes a payment, and keeps the status in the answer. */
  move: (what: string, path: string, about: string | undefined, body: object) => Promise<string | undefined>;
}

export type Step = (hand: Hand) => Promise<unknown>;

const paymentsOf = ({ card }: Merchant) => `/payment-method/${card}/payment`;

const charge: Step = async ({ merchant, move }) => move('charge', paymentsOf(merchant), undefined, { amount: 150.25 });

const refund: Step = async ({ merchant, move }) => {
  const path = paymentsOf(merchant);
  const id = await move('charge', path, undefined, { amount: 80 });
  if (id !== undefined) await move('refund', `${path}/${id}/refund`, id, { reason: 'returned' });
};

const holdAnd =
  (ending: 'capture' | 'release'): Step =>
  async ({ merchant, move }) => {
    const path = paymentsOf(merchant);
    const id = await move('hold', path, undefined, { amount: 100, holdFunds: true });
    if (id !== undefined) await move(ending, `${path}/${id}/${ending}`, id, ending === 'capture' ? { amount: 70 } : {});
  };

/** A new card each time, because attempts with one card are limited. */
const payLink: Step = async ({ send }) => {
  const link = await send('create link', 'POST', '/one-time-payment', { amount: 90, description: 'Café' });
  if (link?.status !== 201) return;
  const path = `/one-time-payment/${String(link.body['id'])}/payment`;
  await send('pay link', 'POST', path, { card: cardBody(newCardNumber()), billingInformation: payer });
};

let lastIntent = 0;
const createIntent: Step = async ({ send }) => {
  const externalId = `sick-${++lastIntent}`;
  const intent = await send('create intent', 'POST', '/payment-intent', { amount: 75, currency: 'MXN', externalId });
  if (intent?.status === 201) await send('read intent', 'GET', `/payment-intent/${String(intent.body['id'])}`);
};

const read: Step = ({ merchant, payment, send }) => send('read', 'GET', `${paymentsOf(merchant)}/${payment}`);
const list: Step = ({ merchant, send }) => send('list', 'GET', `${paymentsOf(merchant)}?pageSize=5`);
export const listLater: Step = ({ send }) => send('developer list', 'GET', '/developer/v1/payment?limit=5');

/** The mix of a merchant's requests, one after the other. */
export const mix: readonly Step[] = [
  refund,
  read,
  holdAnd('capture'),
  list,
  charge,
  read,
  holdAnd('release'),
  listLater,
  payLink,
  read,
  createIntent,
];

/** Sends requests of many merchants, a fixed number of steps a second whether or not earlier ones were answered. It retries nothing. */
export async function startTraffic(
  baseUrl: string,
  merchants: Merchant[],
  perSecond: number,
  { steps = mix, history }: { steps?: readonly Step[]; history?: History } = {},
): Promise<Traffic> {
  const pool = new Pool(new URL(baseUrl).origin, { connections: 512 });
  const ended: Ended[] = [];
  const promised = new Map<string, string>();
  const answered = new Set<string>();
  const handOf = openHand({ pool, root: new URL(baseUrl).pathname, ended, promised, answered, history });
  const hands = await Promise.all(
    merchants.map(async (merchant): Promise<Hand> => {
      const hand = handOf(merchant);
      const payment = await hand.move('charge', paymentsOf(merchant), undefined, { amount: 10 });
      if (payment === undefined) throw new Error('a merchant could not charge its card');
      return { ...hand, payment };
    }),
  );
  const underWay = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const run = async () => {
    const begun = performance.now();
    for (let n = 0; !stopping.signal.aborted; n++) {
      await sleep(Math.max(0, begun + (n * 1_000) / perSecond - performance.now()));
      const [hand, step] = [hands[n % hands.length], steps[n % steps.length]];
      if (hand === undefined || step === undefined) continue;
      const done = step(hand).finally(() => underWay.delete(done));
      underWay.add(done);
    }
  };
  const running = run();
  return {
    ended,
    promised,
    answered,
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all(underWay);
      await pool.close();
    },
  };
}

interface Ledger extends Pick<Traffic, 'ended' | 'promised' | 'answered'> {
  pool: Pool;
  /** The path of the API. */
  root: string;
  history: History | undefined;
}

/** Sends a merchant's requests and records each. */
function openHand({ pool, root, ended, promised, answered, history }: Ledger) {
  const sendAs =
    (apiKey: string): Hand['send'] =>
    async (what, method, path, body) => {
      const at = performance.now();
      const start = microseconds();
      const note = (status: number, code: unknown, retryAfter?: string) => {
        const ms = performance.now() - at;
        ended.push({ what, reads: method === 'GET', at, ms, status, code: code as string | undefined, retryAfter });
      };
      try {
        const {
          statusCode,
          headers,
          body: answer,
        } = await pool.request({
          method,
          path: root + path,
          headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
          body: body ? JSON.stringify(body) : null,
        });
        const json = (await answer.json()) as Record<string, unknown>;
        note(statusCode, json['code'], headers['retry-after'] as string | undefined);
        history?.note(callOf({ what, path, body }, { status: statusCode, body: json }, start));
        return { status: statusCode, body: json };
      } catch (error) {
        note(0, (error as { code?: string }).code ?? String(error));
        history?.note(callOf({ what, path, body }, undefined, start));
        return undefined;
      }
    };
  return (merchant: Merchant): Omit<Hand, 'payment'> => {
    const send = sendAs(merchant.apiKey);
    return {
      merchant,
      send,
      move: async (what, path, about, body) => {
        if (about !== undefined) promised.delete(about);
        const answer = await send(what, 'POST', path, body);
        if (answer?.status !== 200 && answer?.status !== 201) return undefined;
        const { id, status } = answer.body as { id: string; status: string };
        promised.set(id, status);
        answered.add(id);
        return id;
      },
    };
  };
}

/** A number that the bank approves. */
const newCardNumber = (): string =>
  withCheckDigit(`4${Array.from({ length: 14 }, () => Math.floor(Math.random() * 10)).join('')}`);

/** The history's entry for a request: about its payment, if the path or the answer names one. */
function callOf(
  { what, path, body }: { what: string; path: string; body?: object | undefined },
  answer: Answer | undefined,
  start: number,
): Call {
  const { status = 0, body: shown = {} } = answer ?? {};
  const named = /^\/payment-method\/[^/?]+\/payment\/([^/]+)/.exec(path)?.[1];
  const made = what === 'charge' || what === 'hold' ? shown['id'] : undefined;
  const id = named ?? (typeof made === 'string' ? made : undefined);
  const { amount } = (body ?? {}) as { amount?: number };
  return {
    model: id === undefined ? 'other' : 'payment',
    part: id ?? what,
    client: 0,
    op: what === 'hold' ? 'charge' : what,
    in: { amount: centavosOf(amount), hold: what === 'hold' },
    start,
    end: isOpenEnd(status) ? null : microseconds(),
    answer: status === 0 ? 'cut' : [status, shown['code']].filter(Boolean).join(' '),
    out: shownIn(shown),
  };
}
