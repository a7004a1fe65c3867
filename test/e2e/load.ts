import { setTimeout as sleep } from 'node:timers/promises';
import type { Payment, PaymentStatus } from '@cobro/contracts/payments.ts';
import type { Answer, Client } from './client.ts';

/** The merchants' requests while something else happened. */
export interface Work {
  /** By payment id, the status in the last successful answer. */
  promised: Map<string, PaymentStatus>;
  /** Answers that were not a success, such as `503 SERVICE_UNAVAILABLE`. */
  refusals: string[];
  /** Requests that got no answer. */
  lost: string[];
  /** The requests of `refusals` and `lost`. */
  failed: Failed[];
}

export interface Failed {
  what: string;
  /** Milliseconds since 1970. */
  begunAt: number;
  /** Milliseconds. */
  tookMs?: number;
  /** The refusal's code, if it was one. */
  code?: string;
  /** The refusal's request id, which the logs have; `none` if it had none. */
  requestId?: string;
  /** The body of a charge or a hold. */
  body?: { externalId: string; holdFunds: boolean };
}

/** Sends one request, and returns the body of a success. Undefined if it failed. */
export type Attempt = <Body>(what: string, request: () => Promise<Answer<Body>>) => Promise<Body | undefined>;

export interface Load {
  /** How many requests have been answered with success so far. */
  done(): number;
  /** Waits until the requests under way have ended. */
  stop(): Promise<Work>;
}

const WORKERS = 5;
/** Short enough to have requests under way at any moment, long enough for a busy machine. */
const PAUSE_MS = 50;

/**
 * Charges, refunds, holds, captures and releases on a saved card, until `stop`.
 * @param others each is repeated until `stop`, beside the merchants
 */
export function startLoad(merchant: Client, card: string, others: ((attempt: Attempt) => Promise<void>)[] = []): Load {
  const work: Work = { promised: new Map(), refusals: [], lost: [], failed: [] };
  const stopping = new AbortController();
  let done = 0;
  const sendOnce = async <Body>(what: string, request: () => Promise<Answer<Body>>, body?: Failed['body']) => {
    await sleep(PAUSE_MS);
    const failed: Failed = { what, begunAt: Date.now(), ...(body && { body }) };
    try {
      const answer = await request();
      if (answer.status < 300) {
        done++;
        return { shown: answer.body, isUnsettled: answer.status === 202 };
      }
      failed.code = String((answer.body as { code?: string }).code);
      failed.requestId = answer.headers.get('x-request-id') ?? 'none';
      work.refusals.push(`${answer.status} ${failed.code} ${what}`);
    } catch (error) {
      const { cause } = error as { cause?: { code?: string; message?: string } };
      work.lost.push(`${what}: ${cause?.code ?? cause?.message ?? String(error)}`);
    }
    failed.tookMs = Date.now() - failed.begunAt;
    work.failed.push(failed);
    return { failed };
  };
  const attempt: Attempt = async (what, request) => (await sendOnce(what, request)).shown;
  const operate = async (what: string, id: string, request: () => Promise<Answer<Payment>>) => {
    const { shown, failed, isUnsettled } = await sendOnce(what, request);
    // A request without an outcome may have moved money, unless a service answered that it did nothing.
    if (shown !== undefined && !isUnsettled) work.promised.set(id, shown.status);
    else if (failed?.code !== 'SERVICE_UNAVAILABLE') work.promised.delete(id);
  };
  const begin = async (holdFunds: boolean) => {
    const body = { externalId: crypto.randomUUID(), holdFunds };
    const what = holdFunds ? 'hold' : 'charge';
    const { shown, isUnsettled } = await sendOnce(what, () => merchant.charge(card, body), body);
    if (shown === undefined || isUnsettled) return undefined;
    work.promised.set(shown.id, shown.status);
    return shown.id;
  };
  const steps = [
    async () => {
      const id = await begin(false);
      if (id) await operate('refund', id, () => merchant.refund(card, id));
    },
    async () => {
      const id = await begin(true);
      if (id) await operate('capture', id, () => merchant.capture(card, id, 70));
    },
    async () => {
      const id = await begin(true);
      if (id) await operate('release', id, () => merchant.release(card, id));
    },
  ];
  const merchants = Array.from({ length: WORKERS }, async (_, worker) => {
    for (let n = worker; !stopping.signal.aborted; n++) await steps[n % steps.length]?.();
  });
  const rest = others.map(async (other) => {
    while (!stopping.signal.aborted) await other(attempt);
  });
  return {
    done: () => done,
    stop: async () => {
      stopping.abort();
      await Promise.all([...merchants, ...rest]);
      return work;
    },
  };
}

const SETTLES_WITHIN_MS = 60_000;

export interface Repeated {
  /** Charges and holds that the repetition made. */
  made: number;
  /** Requests that the bank never saw; their externalId is spent. */
  notProcessed: number;
  /** A sentence for each with another outcome, or without exactly one payment. */
  wrong: string[];
}

/** Repeats each failed charge and hold with its externalId, until none is in progress. */
export async function repeatFailed(merchant: Client, card: string, { failed }: Work): Promise<Repeated> {
  const repeated: Repeated = { made: 0, notProcessed: 0, wrong: [] };
  const bodies = failed.flatMap(({ body }) => (body === undefined ? [] : [body]));
  for (const body of bodies) {
    const { status, body: shown } = await settled(() => merchant.charge(card, body));
    const { declineCode } = shown as unknown as { declineCode?: string };
    if (status === 201) repeated.made++;
    else if (status === 402 && declineCode === 'not_processed') repeated.notProcessed++;
    else repeated.wrong.push(`${body.externalId} was answered with ${status} when it was repeated`);
  }
  const byExternalId = Map.groupBy(await paymentsOf(merchant, card), ({ externalId }) => externalId);
  for (const { externalId } of bodies) {
    const count = byExternalId.get(externalId)?.length ?? 0;
    if (count !== 1) repeated.wrong.push(`${externalId} made ${count} payments`);
  }
  return repeated;
}

/** The answer once nothing is in progress. */
async function settled(send: () => Promise<Answer<Payment>>): Promise<Answer<Payment>> {
  for (const end = Date.now() + SETTLES_WITHIN_MS; ; await sleep(500)) {
    const answer = await send();
    if ((answer.status !== 202 && answer.status !== 409) || Date.now() > end) return answer;
  }
}

/** Payments whose books contradict the last successful answer. */
export async function brokenPromises(
  merchant: Client,
  card: string,
  { promised }: Pick<Work, 'promised'>,
): Promise<string[]> {
  const booked = new Map((await paymentsOf(merchant, card)).map(({ id, status }) => [id, status]));
  return [...promised]
    .filter(([id, status]) => booked.get(id) !== status)
    .map(([id, status]) => `${id} was answered as ${status} and is ${booked.get(id)}`);
}

async function paymentsOf(merchant: Client, card: string): Promise<Payment[]> {
  const all: Payment[] = [];
  for (let page = 1; ; page++) {
    const path = `/payment-method/${card}/payment?pageSize=500&page=${page}`;
    const { body } = await merchant.send<{ items: Payment[] }>('GET', path);
    all.push(...body.items);
    if (body.items.length < 500) return all;
  }
}
