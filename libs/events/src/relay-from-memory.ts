import { AsyncLocalStorage } from 'node:async_hooks';
import { createBatcher } from '@cobro/async/batcher.ts';
import { sql } from '@cobro/postgres/database.ts';
import { publishEvent, type Relaying, type StoredEvent } from './publish-event.ts';
import { PublishError } from './publisher.ts';
import { keepRecent } from './recent.ts';
import { inTurns } from './turns.ts';

export interface MemoryRelay {
  /**
   * Publishes a committed event, and deletes its row. `ahead` has the ids of its aggregate's events that were in the outbox
   * before it.
   */
  add(event: StoredEvent, ahead: readonly string[]): void;
  /** Aggregates with an event that is being published. */
  aggregates(): string[];
  /** Deletes the rows of confirmed events. */
  forget(): Promise<void>;
  /** Resolves when nothing is being published. */
  idle(): Promise<void>;
}

/** The most events kept in memory until their rows are deleted: some 2 MB. Further events are left to `relayBatch`. */
export const MOST_IN_MEMORY = 1_000;
const PUBLISHED_REMEMBERED = 10_000;

/**
 * Publishes what this process commits without reading it back. It publishes an event only if it has itself published the events
 * before it. Whatever it leaves out or cannot publish stays in the outbox, from where `relayBatch` takes it.
 */
export function relayFromMemory({ db, log, ...publishing }: Relaying): MemoryRelay {
  // Otherwise statements and spans would belong to the request that committed the event.
  const outsideOfRequests = AsyncLocalStorage.snapshot();
  const turns = inTurns();
  const published = keepRecent(PUBLISHED_REMEMBERED);
  /** The events' ids by the rows' ids, which a database may give to other events after a failover. */
  const confirmed = new Map<bigint, string>();
  let underWay = 0;

  const forget = async () => {
    const ids = [...confirmed.keys()];
    if (ids.length === 0) return;
    // The commit does not wait for the disk: if a crash of the server undoes the delete, the events are published again.
    await db.run(sql`
      delete from outbox
      where id = any(${ids}::bigint[]) and event_id = any(${[...confirmed.values()]}::uuid[])
        and set_config('synchronous_commit', 'off', true) is not null`);
    for (const id of ids) confirmed.delete(id);
  };
  // If a sick database does not delete rows now, they are deleted with the next ones, or before the table is read.
  const forgetting = createBatcher({ work: () => forget().catch(() => {}) });

  const publish = async (event: StoredEvent, ahead: readonly string[]) => {
    if (!ahead.every(published.has)) return;
    try {
      await publishEvent(publishing, event);
    } catch (error) {
      if (!(error instanceof PublishError)) {
        log.error(
          { event: 'relay_failed', eventId: event.event_id, error },
          'a bug: the event was not published; it waits',
        );
      }
      return;
    }
    published.add(event.event_id);
    confirmed.set(event.id, event.event_id);
    forgetting.add(undefined);
  };

  return {
    add: (event, ahead) => {
      if (!publishing.broker.canPublish() || underWay + confirmed.size >= MOST_IN_MEMORY) return;
      underWay++;
      outsideOfRequests(() => turns.take(event.aggregate_id, () => publish(event, ahead).finally(() => underWay--)));
    },
    aggregates: turns.keys,
    forget,
    idle: () => turns.idle().then(forgetting.idle),
  };
}
