/** One request again and again, in a process of its own: a number of them at once, each sent when the last one is answered. */
import { Pool } from 'undici';
import { drive, serveOrders } from '../drive.ts';

export interface RequestsOrder {
  origin: string;
  request: { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string };
  expected: number;
  atOnce: number;
  seconds: number;
}

serveOrders(async ({ origin, request, expected, atOnce, seconds }: RequestsOrder) => {
  const pool = new Pool(origin, { connections: atOnce });
  const senders = Array.from({ length: atOnce }, () => request);
  const report = await drive(senders, seconds, async (asked) => {
    const { statusCode, body } = await pool.request(asked);
    const text = await body.text();
    if (statusCode !== expected) throw new Error(`${statusCode} ${text}`);
  });
  await pool.close();
  return report;
});
