/** Pairs of authorize and capture at one of the measured systems, in a process of its own, as `../driver.ts` drives ours. */
import { Pool } from 'undici';
import { drive, serveOrders } from '../drive.ts';
import { type Merchant, paymentRequests } from '../payment-requests.ts';
import { killBillHeaders } from './kill-bill-merchant.ts';
import { medusaHeaders } from './medusa-merchant.ts';
import type { PeerMerchant, PeerOrder } from './system.ts';

type Pair = (merchant: PeerMerchant) => Promise<void>;
type Post = (
  path: string,
  headers: Record<string, string>,
  body: object,
  expected: number,
) => Promise<{ location: string; text: string }>;

/** The same amounts at each: 150.25 are authorized, and 100 of them are captured. */
const AUTHORIZED = 150.25;
const CAPTURED = 100;

serveOrders(async ({ system, baseUrl, merchants, seconds }: PeerOrder) => {
  if (system === 'ours') {
    const requests = paymentRequests(baseUrl, merchants.length);
    const report = await drive(
      merchants.map((merchant) => merchant as unknown as Merchant),
      seconds,
      requests.pair,
    );
    await requests.close();
    return report;
  }
  const { origin, pathname } = new URL(baseUrl);
  const pool = new Pool(origin, { connections: merchants.length });
  const post: Post = async (path, headers, body, expected) => {
    const asked = {
      method: 'POST',
      path: `${pathname === '/' ? '' : pathname}${path}`,
      headers,
      body: JSON.stringify(body),
    } as const;
    const answer = await pool.request(asked);
    const text = await answer.body.text();
    if (answer.statusCode !== expected) throw new Error(`${answer.statusCode} ${text}`);
    return { location: String(answer.headers['location']), text };
  };
  const report = await drive(merchants, seconds, { 'kill-bill': killBillPair, medusa: medusaPair }[system](post));
  await pool.close();
  return report;
});

/** Kill Bill answers 201 with the address of the payment. The payment itself, which ours shows in its answer, is not requested. */
function killBillPair(post: Post): Pair {
  return async (merchant) => {
    const headers = killBillHeaders(merchant);
    const ask = (path: string, transactionType: string, amount: number) =>
      post(path, headers, { transactionType, amount, currency: 'MXN' }, 201);
    const { location } = await ask(`/accounts/${merchant['accountId']}/payments`, 'AUTHORIZE', AUTHORIZED);
    await ask(new URL(location).pathname.replace(/^.*(\/payments\/[^/]+).*$/, '$1'), 'CAPTURE', CAPTURED);
  };
}

/** The authorization is the route of `medusa-app.ts`, the capture is Medusa's own. */
function medusaPair(post: Post): Pair {
  return async (merchant) => {
    const headers = medusaHeaders(merchant);
    const { text } = await post('/admin/authorizations', headers, { amount: AUTHORIZED, currency_code: 'mxn' }, 201);
    const { id } = JSON.parse(text) as { id: string };
    await post(`/admin/payments/${id}/capture`, headers, { amount: CAPTURED }, 200);
  };
}
