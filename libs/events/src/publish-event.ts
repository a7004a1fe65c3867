import type { Database } from '@cobro/postgres/database.ts';
import type { Broker } from './broker.ts';
import type { EventSigner } from './event-signature.ts';
import type { Log } from './log.ts';
import { eventsExchange } from './topology.ts';

/** A row of the outbox. */
export interface StoredEvent {
  id: bigint;
  event_id: string;
  aggregate_id: string;
  type: string;
  routing_key: string;
  /** JSON, as it is sent. */
  envelope: string;
  /** The trace context of the request that caused the event. */
  headers: Record<string, string>;
}

export interface Relaying {
  db: Database;
  broker: Broker;
  sign: EventSigner;
  log: Log;
}

/** Resolves when the broker has the event. @throws PublishError */
export function publishEvent({ broker, sign }: Pick<Relaying, 'broker' | 'sign'>, event: StoredEvent): Promise<void> {
  // Signed now and not when it was written, so that no waiting event has the signature of a key that was turned over.
  const { content, headers } = sign(event.envelope);
  return broker.publish({
    exchange: eventsExchange(broker.prefix),
    routingKey: event.routing_key,
    content,
    messageId: event.event_id,
    headers: { ...event.headers, ...headers },
  });
}
