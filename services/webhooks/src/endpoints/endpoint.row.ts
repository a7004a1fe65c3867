import type { WebhookEndpoint } from '@cobro/contracts/webhook-endpoint.ts';
import { column, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const columns = {
  id: column<string>(),
  organizationId: column<string>(),
  url: column<string>(),
  types: column<string[]>(),
  description: column<string | null>(),
  status: column<WebhookEndpoint['status']>(),
  /** Sealed and bound to the id of this row, like the old secret below. */
  sealedSecret: column<Buffer>(),
  sealedOldSecret: column<Buffer | null>(),
  oldSecretUntil: column<Date | null>(),
  createdAt: column<Date>(),
  lastDeliveryAt: column<Date | null>(),
  failingSince: column<Date | null>(),
  recoveredAt: column<Date | null>(),
};

export type EndpointRow = RowOf<typeof columns>;
export const endpointTable = tableOf(columns);
