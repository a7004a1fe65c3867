import type { Envelope } from '@cobro/contracts/events.ts';
import { createHandOvers } from '@cobro/frame/hand-over.ts';
import type { TokenSigner } from '@cobro/service-kit/internal-token.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import type { OwnTls } from '@cobro/service-kit/own-certificate.ts';
import { openServiceClient } from '@cobro/service-kit/service-client.ts';
import { gateway } from '../service.ts';

/** Hands over to payments what checkouts show. In a deployment without payments it does nothing. */
export function openHandOverToPayments(
  baseUrl: unknown,
  { log, sign, tls }: { log: Log; sign: TokenSigner; tls: OwnTls | undefined },
): { handOver: (events: Envelope[]) => Promise<unknown>; close: () => Promise<void> } {
  if (typeof baseUrl !== 'string') return { handOver: async () => {}, close: async () => {} };
  const payments = openServiceClient({ baseUrl, service: gateway.name, to: 'payments', sign, tls });
  const followers = { OrganizationChanged: 'payments' } as const;
  return { handOver: createHandOvers({ clients: { payments }, followers, log }), close: () => payments.close() };
}
