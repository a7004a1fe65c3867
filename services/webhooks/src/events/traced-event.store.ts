import type { OutwardType } from '@cobro/contracts/outward-events.ts';
import type { WebhookDelivery } from '@cobro/contracts/webhook-requests.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';
import { ofObject } from './event.store.ts';

/** An outward event and its deliveries. */
export interface TracedEvent {
  id: string;
  objectId: string;
  type: OutwardType;
  /** Business time. */
  createdAt: Date;
  deliveries: (Pick<WebhookDelivery, 'status' | 'attempts' | 'nextAttemptAt' | 'responseStatus' | 'error'> & {
    url: string;
  })[];
}

/** The events about these objects, in the order in which they were kept. */
export const tracedEvents = (queries: Queries, objectIds: readonly string[]) =>
  queries.many<TracedEvent>(sql`
    select event.id, event.object_id as "objectId", event.type, event.created_at as "createdAt", (
      select coalesce(json_agg(json_build_object(
        'url', endpoint.url, 'status', delivery.status, 'attempts', attempts, 'nextAttemptAt', next_attempt_at,
        'responseStatus', response_status, 'error', error) order by endpoint.created_at, endpoint.id), '[]')
      from delivery join webhook_endpoint as endpoint on endpoint.id = endpoint_id
      where event_id = event.id and endpoint.organization_id = event.organization_id) as deliveries
    from unnest(${objectIds}::uuid[]) as one (object) join event on ${ofObject(sql`object`)}
    order by event.position`);
