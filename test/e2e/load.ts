import { setTimeout as sleep } from 'node:timers/promises';
import type { Payment, PaymentStatus } from '@cobro/contracts/payments.ts';
import type { Answer, Client } from './client.ts';

/** What merchants did while something else happened. */
export interface Work {
  /** By payment id, what the last answer of a success said of it. */
  promised: Map<string, PaymentStatus>;
  /** Answers that were no success, as `503 SERVICE_UNAVAILABLE`. */
  refusals: string[];
  /** Requests that got no answer. */
  lost: string[];
}

export interface Load {
  /** How many requests have been answered with success so far. */
  done(): number;
  /** Lets the requests that are under way end. */
  stop(): Promise<Work>;
}

const WORKERS = 5;
/** Enough to have requests under way at any moment, and little enough for a machine that does other things. */
const PAUSE_MS = 50;

/** Charges, refunds, holds, captures and releases on a card that is saved already, until `stop`. */
export function startLoad(merchant: Client, card: string): Load {
  const work: Work = { promised: new Map(), refusals: [], lost: [] };
  const stopping = new AbortController();
  let done = 0;
  const attempt = async (what: string, request: () => Promise<Answer<Payment>>): Promise<Payment | undefined> => {
    await sleep(PAUSE_MS);
    try {
      const { status, body } = await request();
      if (status < 300) {
        done++;
        work.promised.set(body.id, body.status);
        return body;
      }
      work.refusals.push(`${status} ${(body as unknown as { code: string }).code} ${what}`);
    } catch (error) {
      const { cause } = error as { cause?: { code?: string; message?: string } };
      work.lost.push(`${what}: ${cause?.code ?? cause?.message ?? String(error)}`);
    }
    return undefined;
  };
  const steps = [
    async () => {
      const charged = await attempt('charge', () => merchant.charge(card));
      if (charged) await attempt('refund', () => merchant.refund(card, charged.id));
    },
    async () => {
      const held = await attempt('hold', () => merchant.hold(card));
      if (held) await attempt('capture', () => merchant.capture(card, held.id, 70));
    },
    async () => {
      const held = await attempt('hold', () => merchant.hold(card));
      if (held) await attempt('release', () => merchant.release(card, held.id));
    },
  ];
  const workers = Array.from({ length: WORKERS }, async (_, worker) => {
    for (let n = worker; !stopping.signal.aborted; n++) await steps[n % steps.length]?.();
  });
  return {
    done: () => done,
    stop: async () => {
      stopping.abort();
      await Promise.all(workers);
      return work;
    },
  };
}

/** Payments of which the books say something else than the last successful answer did. */
export async function brokenPromises(merchant: Client, card: string, { promised }: Work): Promise<string[]> {
  const booked = new Map<string, PaymentStatus>();
  for (let page = 1; ; page++) {
    const path = `/payment-method/${card}/payment?pageSize=500&page=${page}`;
    const { body } = await merchant.send<{ items: Payment[] }>('GET', path);
    for (const { id, status } of body.items) booked.set(id, status);
    if (body.items.length < 500) break;
  }
  return [...promised]
    .filter(([id, status]) => booked.get(id) !== status)
    .map(([id, status]) => `${id} was answered as ${status} and is ${booked.get(id)}`);
}
