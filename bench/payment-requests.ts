import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** An organization with a key and a saved card. */
export interface Merchant {
  apiKey: string;
  card: string;
}

/** The holds of each card that no pair has captured yet, oldest first. They stay from one order of the driver to the next. */
const held = new Map<string, string[]>();
/** A merchant captures the hold that it placed this number of holds ago: about a second with sixteen merchants on two cores. */
const HOLDS_BETWEEN = 4;

/**
 * The requests of our load: a charge, and a pair of authorize and capture. `baseUrl` is the main API's. Each rejects if an answer is not a
 * success.
 */
export function paymentRequests(baseUrl: string, connections: number) {
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
  const authorize = (merchant: Merchant) => post(merchant, '', { amount: 150.25, holdFunds: true }, 201);
  const capture = (merchant: Merchant, id: string) => post(merchant, `/${id}/capture`, { amount: 100 }, 200);
  return {
    charge: async (merchant: Merchant) => void (await post(merchant, '', { amount: 150.25 }, 201)),
    /** Authorize, and capture an earlier hold, which the service of holds has by now. The first few capture nothing. */
    pair: async (merchant: Merchant) => {
      const open = held.get(merchant.card) ?? [];
      held.set(merchant.card, open);
      open.push((await authorize(merchant)).id);
      if (open.length > HOLDS_BETWEEN) await capture(merchant, open.shift()!);
    },
    /** Authorize and capture, with a pause between them. Without one the capture usually asks payments for the hold. */
    pairAtOnce: async (merchant: Merchant, pauseMs?: number) => {
      const { id } = await authorize(merchant);
      if (pauseMs !== undefined) await sleep(pauseMs);
      await capture(merchant, id);
    },
    close: () => pool.close(),
  };
}
