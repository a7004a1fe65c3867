import type { Secret } from '@cobro/contracts/secret.ts';
import { histogram } from '@cobro/metrics/instruments.ts';
import { Stripe } from 'stripe';

/** The part of Stripe's client that is used. */
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
    httpClient: measured(Stripe.createNodeHttpClient()),
    timeout: options.timeoutMs,
    // The adapter repeats requests itself, because the row decides about each repeat. Even so, the client repeats once a request
    // that a closed connection cut off; it is the same request under the same key.
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

type HttpClient = NonNullable<Stripe.StripeConfig['httpClient']>;

/** Counts each request, also one that the client repeats. */
function measured(client: HttpClient): HttpClient {
  const measure = histogram('cobro.stripe.duration.seconds');
  return {
    getClientName: () => client.getClientName(),
    makeRequest: async (...request) => {
      const [, , path, method] = request;
      const call = `${method} ${path.replace(/\?.*/, '').replace(/\/(?:pi|seti|pm)_\w+/, '/:id')}`;
      const begun = performance.now();
      let outcome: 'answered' | 'refused' | 'limited' | 'failed' | 'lost' = 'lost';
      try {
        const response = await client.makeRequest(...request);
        outcome = outcomeOf(response.getStatusCode());
        return response;
      } finally {
        measure((performance.now() - begun) / 1_000, { call, outcome });
      }
    },
  };
}

function outcomeOf(status: number) {
  if (status < 300) return 'answered';
  if (status === 429) return 'limited';
  return status < 500 ? 'refused' : 'failed';
}
