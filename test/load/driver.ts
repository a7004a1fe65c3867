/**
 * The load, in a process of its own: so many merchants at once, each sending its next request when it has the answer to the
 * last. Asked and answering over IPC.
 */
import { Pool } from 'undici';

export type Scenario = 'charge' | 'pair';

export interface Order {
  scenario: Scenario;
  baseUrl: string;
  apiKey: string;
  cards: string[];
  concurrency: number;
  seconds: number;
}

export interface Report {
  /** Charges, or pairs of authorize and capture, that were answered. */
  done: number;
  failed: number;
  firstFailure: string | undefined;
  seconds: number;
  /** Milliseconds from sending to the whole answer: of a charge, or of authorize and capture together. */
  latencies: number[];
}

async function drive(order: Order): Promise<Report> {
  const pool = new Pool(new URL(order.baseUrl).origin, { connections: order.concurrency });
  const path = new URL(order.baseUrl).pathname;
  const report: Report = { done: 0, failed: 0, firstFailure: undefined, seconds: 0, latencies: [] };
  const post = async (resource: string, body: unknown, expected: number) => {
    const { statusCode, body: answer } = await pool.request({
      method: 'POST',
      path: path + resource,
      headers: { 'x-api-key': order.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json = (await answer.json()) as { id: string };
    if (statusCode !== expected) throw new Error(`${statusCode} ${JSON.stringify(json)}`);
    return json;
  };
  const once = {
    charge: async (card: string) => void (await post(`/payment-method/${card}/payment`, { amount: 150.25 }, 201)),
    pair: async (card: string) => {
      const { id } = await post(`/payment-method/${card}/payment`, { amount: 150.25, holdFunds: true }, 201);
      await post(`/payment-method/${card}/payment/${id}/capture`, { amount: 100 }, 200);
    },
  }[order.scenario];

  const begun = performance.now();
  const end = begun + order.seconds * 1_000;
  const merchant = async (card: string) => {
    for (let now = performance.now(); now < end; now = performance.now()) {
      try {
        await once(card);
        report.done++;
        report.latencies.push(performance.now() - now);
      } catch (error) {
        report.failed++;
        report.firstFailure ??= String(error);
      }
    }
  };
  const merchants = Array.from({ length: order.concurrency }, (_, i) =>
    merchant(order.cards[i % order.cards.length] ?? ''),
  );
  await Promise.all(merchants);
  report.seconds = (performance.now() - begun) / 1_000;
  await pool.close();
  return report;
}

process.on('message', (order: Order) => {
  void drive(order).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit());
