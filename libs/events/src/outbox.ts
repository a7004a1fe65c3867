import { routingKeyOf } from '@cobro/contracts/event-routing.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { gaugeOf } from '@cobro/metrics/instruments.ts';
import { type Database, type Sql, sql, type Tx } from '@cobro/postgres/database.ts';
import { context, propagation } from '@opentelemetry/api';
import { startRelay } from './relay.ts';
import type { Relaying } from './relay-batch.ts';

export interface Outbox {
  /**
   * Stores the event in the transaction of the change that the event tells of. After the commit the relay publishes it at once.
   */
  append(tx: Tx, event: Envelope): void;
  /** The same as part of a larger statement. After its commit `committed` has to be called. */
  inserting(event: Envelope): Sql;
  committed(): void;
  /** Publishes what has committed and stops. Without broker or database the events stay for the next start or another replica. */
  stop(): Promise<void>;
}

/** Lock the aggregate's row before you append an event. Only then do an aggregate's events have the order of its changes. */
export const appendToOutbox = (tx: Tx, event: Envelope): void => tx.send(insertingEvent(event));

/** The `insert` of an event as a `select` without `from`, so that it can be part of a larger statement. */
export function insertingEvent(event: Envelope): Sql {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return sql`
    insert into outbox (event_id, aggregate_id, type, routing_key, envelope, headers)
    select ${event.id}::uuid, ${event.subject}::text, ${event.type}::text, ${routingKeyOf(event)}::text,
      ${JSON.stringify(event)}::text, ${JSON.stringify(headers)}::jsonb`;
}

/** The outbox of one schema with its relay. Any number of processes may open one on the same schema. */
export function openOutbox(options: Relaying & { pollMs?: number; lastPassesMs?: number }): Outbox {
  const { pollMs = 100, lastPassesMs = 2_000 } = options;
  const relay = startRelay({ ...options, pollMs, lastPassesMs });
  gaugeOf('cobro.outbox.age.seconds', () => ageOfOutbox(options.db));
  return {
    append: (tx, event) => {
      appendToOutbox(tx, event);
      tx.afterCommit(relay.nudge);
    },
    inserting: insertingEvent,
    committed: relay.nudge,
    stop: relay.stop,
  };
}

/** Seconds since the oldest event that waits was written; 0 where none waits. The smallest id may be a little younger than others. */
async function ageOfOutbox(db: Database): Promise<number> {
  const oldest = await db.maybe<{ age: number }>(sql`
    select date_part('epoch', clock_timestamp() - created_at) as age from outbox order by id limit 1`);
  return oldest?.age ?? 0;
}
