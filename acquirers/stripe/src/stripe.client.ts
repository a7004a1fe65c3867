import type { Secret } from '@cobro/contracts/secret.ts';
import { Stripe } from 'stripe';

/** Of Stripe's client, what the adapter asks. */
export type StripeClient = Pick<
  Stripe,
  'balanceTransactions' | 'customers' | 'paymentIntents' | 'paymentMethods' | 'refunds' | 'setupIntents'
>;

export function openStripe(options: { secretKey: Secret<string>; url: string; timeoutMs: number }): StripeClient {
  const { protocol, hostname, port } = new URL(options.url);
  const isTls = protocol === 'https:';
  return new Stripe(options.secretKey.reveal(), {
    host: hostname,
    port: port === '' ? (isTls ? 443 : 80) : port,
    protocol: isTls ? 'https' : 'http',
    timeout: options.timeoutMs,
    // The adapter repeats requests itself, because each repeat is decided by what the row says. The client all the same repeats once
    // what a closed connection cut off; it is the same request under the same key.
    maxNetworkRetries: 0,
    telemetry: false,
  });
}
