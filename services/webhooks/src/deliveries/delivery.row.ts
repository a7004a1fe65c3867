import type { OutwardEvent, OutwardType } from '@cobro/contracts/outward-events.ts';
import type { WebhookDelivery } from '@cobro/contracts/webhook-requests.ts';
import { column, jsonColumn, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const columns = {
  id: column<string>(),
  endpointId: column<string>(),
  eventId: column<string>(),
  type: column<OutwardType>(),
  /** The whole event if it is a sample. */
  sample: jsonColumn<OutwardEvent | null>(),
  status: column<WebhookDelivery['status']>(),
  attempts: column<number>(),
  createdAt: column<Date>(),
  lastAttemptAt: column<Date | null>(),
  nextAttemptAt: column<Date>(),
  responseStatus: column<number | null>(),
  responseBody: column<string | null>(),
  error: column<string | null>(),
};

export type DeliveryRow = RowOf<typeof columns>;
export const deliveryTable = tableOf(columns);
