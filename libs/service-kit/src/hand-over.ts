import type { Envelope, EventType, SentDataOf } from '@cobro/contracts/events.ts';
import type { Log } from './log.ts';
import type { ServiceClient } from './service-client.ts';

const DEADLINE_MS = 150;
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 1_000;

/** Gives an event to its consumer before our answer goes out. Resolves within 150 ms, whatever happens, and never rejects. */
export type HandOver = (event: Envelope) => Promise<void>;

/** The service that gets events of a type, or a rule that finds it by the event's data as sent. */
export type Tell<Service extends string> = {
  readonly [T in EventType]?: Service | ((data: SentDataOf<T>) => Service | undefined);
};

/** Gives each event to the service that `tell` names for it. Resolves within 150 ms and never rejects. */
export function createHandOvers<Service extends string>(options: {
  clients: Readonly<Record<Service, ServiceClient>>;
  tell: Tell<Service>;
  log: Log;
}): (events: Envelope[]) => Promise<void> {
  const { clients, log } = options;
  const tell = options.tell as Record<string, Service | ((data: unknown) => Service | undefined) | undefined>;
  const handOvers = new Map<Service, HandOver>();
  const handOverTo = (target: Service): HandOver => {
    const handOver = handOvers.get(target) ?? createHandOver({ client: clients[target], log, target });
    handOvers.set(target, handOver);
    return handOver;
  };
  return async (events) => {
    await Promise.all(
      events.map(async (event) => {
        const named = tell[event.type];
        const target = typeof named === 'function' ? named(event.data) : named;
        if (target !== undefined) await handOverTo(target)(event);
      }),
    );
  };
}

/**
 * A failed hand-over loses nothing, because the broker delivers the same event. Readers see the change a little later, that is
 * all.
 */
export function createHandOver(options: { client: ServiceClient; log: Log; target: string }): HandOver {
  let failures = 0;
  let openUntil = 0;
  return async (event) => {
    if (Date.now() < openUntil) return;
    try {
      await options.client.post('/internal/events', event, DEADLINE_MS);
      failures = 0;
    } catch (error) {
      if (++failures >= FAILURES_TO_OPEN) openUntil = Date.now() + OPEN_MS;
      const reason = error instanceof Error ? error.name : 'unknown';
      options.log.warn({ target: options.target, type: event.type, eventId: event.id, reason }, 'hand-over failed');
    }
  };
}
