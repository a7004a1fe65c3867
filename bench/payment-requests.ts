import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** An organization with a key and a saved card. */
export interface Merchant {
  apiKey: string;
  card: string;
}

export interface PaymentRequests {
  /** Each is rejected where an answer is not the one of success. */
  charge(merchant: Merchant): Promise<void>;
  /** Authorize and capture, with a pause between them. */
  pair(merchant: Merchant, pauseMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** The requests of our load: a charge, and a pair of authorize and capture. `baseUrl` is the main API's. */
export function paymentRequests(baseUrl: string, connections: number): PaymentRequests {
  const { origin, pathname } = new URL(baseUrl);
  const pool = new Pool(origin, { connections });
  const post = async ({ apiKey, card }: Merchant, resource: string, body: unknown, expected: number) => {
    const { statusCode, body: answer } = await pool.request({
      method: 'POST',
      path: `${pathname}/payment-method/${card}/payment${resource}`,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json = (await answer.json()) as { id: string };
    if (statusCode !== expected) throw new Error(`${statusCode} ${JSON.stringify(json)}`);
    return json;
  };
  return {
    charge: async (merchant) => void (await post(merchant, '', { amount: 150.25 }, 201)),
    pair: async (merchant, pauseMs) => {
      const { id } = await post(merchant, '', { amount: 150.25, holdFunds: true }, 201);
      if (pauseMs !== undefined) await sleep(pauseMs);
      await post(merchant, `/${id}/capture`, { amount: 100 }, 200);
    },
    close: () => pool.close(),
  };
}
