import type { WebhookEndpoint } from '@cobro/contracts/webhook-endpoint.ts';
import type { EndpointRow } from './endpoint.row.ts';

export const showEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  types: row.types,
  description: row.description,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  lastDeliveryAt: row.lastDeliveryAt?.toISOString() ?? null,
  failingSince: row.failingSince?.toISOString() ?? null,
});

const PAUSE_AFTER_MS = 5 * 86_400_000;

/** What a batch of tries changes in its endpoint. `gone`: the endpoint answered 410. */
export function afterTries(
  row: EndpointRow,
  { delivered, gone }: { delivered: boolean; gone: boolean },
  now: Date,
): Partial<EndpointRow> {
  if (gone) return { status: 'DISABLED', failingSince: row.failingSince ?? now };
  if (delivered) {
    const recovered = row.failingSince === null ? {} : { failingSince: null, recoveredAt: now };
    return { lastDeliveryAt: now, ...recovered };
  }
  const failingSince = row.failingSince ?? now;
  const hasFailedLong = now.getTime() - failingSince.getTime() >= PAUSE_AFTER_MS;
  return hasFailedLong ? { status: 'PAUSED', failingSince } : { failingSince };
}
