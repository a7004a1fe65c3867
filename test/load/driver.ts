/**
 * The load, in a process of its own: so many merchants at once, each sending its next request when it has the answer to the
 * last. Asked and answering over IPC.
 */
import { Pool } from 'undici';

export type Scenario = 'charge' | 'pair';

/** An organization with a key and a saved card. */
export interface Merchant {
  apiKey: string;
  card: string;
}

export interface Order {
  scenario: Scenario;
  baseUrl: string;
  /** All at once. */
  merchants: Merchant[];
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
  const pool = new Pool(new URL(order.baseUrl).origin, { connections: order.merchants.length });
  const path = new URL(order.baseUrl).pathname;
  const report: Report = { done: 0, failed: 0, firstFailure: undefined, seconds: 0, latencies: [] };
  const post = async ({ apiKey, card }: Merchant, resource: string, body: unknown, expected: number) => {
    const { statusCode, body: answer } = await pool.request({
      method: 'POST',
      path: `${path}/payment-method/${card}/payment${resource}`,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json = (await answer.json()) as { id: string };
    if (statusCode !== expected) throw new Error(`${statusCode} ${JSON.stringify(json)}`);
    return json;
  };
  const once = {
    charge: async (merchant: Merchant) => void (await post(merchant, '', { amount: 150.25 }, 201)),
    pair: async (merchant: Merchant) => {
      const { id } = await post(merchant, '', { amount: 150.25, holdFunds: true }, 201);
      await post(merchant, `/${id}/capture`, { amount: 100 }, 200);
    },
  }[order.scenario];

  const begun = performance.now();
  const end = begun + order.seconds * 1_000;
  const drivenBy = async (merchant: Merchant) => {
    for (let now = performance.now(); now < end; now = performance.now()) {
      try {
        await once(merchant);
        report.done++;
        report.latencies.push(performance.now() - now);
      } catch (error) {
        report.failed++;
        report.firstFailure ??= String(error);
      }
    }
  };
  await Promise.all(order.merchants.map(drivenBy));
  report.seconds = (performance.now() - begun) / 1_000;
  await pool.close();
  return report;
}

process.on('message', (order: Order) => {
  void drive(order).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit());
