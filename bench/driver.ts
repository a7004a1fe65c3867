/**
 * The load, in a process of its own: a number of merchants at once, each sending its next request when it has the answer to the
 * last. It is asked and answers over IPC.
 */
import { drive, serveOrders } from './drive.ts';
import { type Merchant, paymentRequests } from './payment-requests.ts';

export type Scenario = 'charge' | 'pair' | 'pairAtOnce';

export interface Order {
  scenario: Scenario;
  baseUrl: string;
  /** All at once. */
  merchants: Merchant[];
  seconds: number;
}

serveOrders(async ({ scenario, baseUrl, merchants, seconds }: Order) => {
  const requests = paymentRequests(baseUrl, merchants.length);
  const report = await drive(merchants, seconds, requests[scenario]);
  await requests.close();
  return report;
});
