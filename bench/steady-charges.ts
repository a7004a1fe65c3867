import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { percentile } from './figures.ts';
import type { Merchant } from './payment-requests.ts';

export type SteadyCharges = ReturnType<typeof chargeSteadily>;

/** Charges at a fixed rate, by the merchants in turn, whether or not earlier ones have been answered. */
export function chargeSteadily(baseUrl: string, merchants: Merchant[], perSecond: number) {
  const { origin, pathname } = new URL(baseUrl);
  const pool = new Pool(origin);
  const underWay = new Set<Promise<void>>();
  let latencies: number[] = [];
  let others: Record<string, number> = {};
  const ending = new AbortController();
  const charge = async ({ apiKey, card }: Merchant) => {
    const began = performance.now();
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: `${pathname}/payment-method/${card}/payment`,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 150.25 }),
    });
    await body.dump();
    if (statusCode === 201) latencies.push(performance.now() - began);
    else others[statusCode] = (others[statusCode] ?? 0) + 1;
  };
  const send = async () => {
    const began = performance.now();
    for (let sent = 0; !ending.signal.aborted; sent++) {
      await sleep(Math.max(0, began + (sent * 1_000) / perSecond - performance.now()));
      const merchant = merchants[sent % merchants.length];
      if (merchant === undefined) return;
      const one = charge(merchant)
        .catch(() => void (others['no answer'] = (others['no answer'] ?? 0) + 1))
        .finally(() => underWay.delete(one));
      underWay.add(one);
    }
  };
  const sending = send();
  return {
    /** The answers since the last call: milliseconds of those with 201, and the number of others, by status. */
    taken: () => {
      const all = { latencies, others };
      [latencies, others] = [[], {}];
      return all;
    },
    /** Sends no more, and waits for what is under way. */
    stop: async () => {
      ending.abort();
      await sending;
      await Promise.all(underWay);
      await pool.close();
    },
  };
}

/** The answers to the charges since the last call, and their latencies, in words. */
export function summaryOf(charges: SteadyCharges): string {
  const { latencies, others } = charges.taken();
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  const quickly = latencies.length === 0 ? '' : `, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;
  return `${latencies.length} answered 201${quickly}; others ${JSON.stringify(others)}`;
}
