import type { Envelope } from '@cobro/contracts/events.ts';
import { timeOfId } from '@cobro/contracts/ids.ts';
import { gauge } from '@cobro/metrics/instruments.ts';

/** How far a subscription is behind the producers. Each event costs two changes of a set; each reading looks at those in work. */
export interface EventLag {
  /** The broker has delivered this event. */
  begin(event: Envelope): void;
  /** The event is applied, or left to a later delivery. */
  end(event: Envelope, applied: boolean): void;
  stop(): void;
}

/**
 * Measures, whenever metrics are read, the longest time in seconds from an event's creation to its effect, of the events since the
 * last reading. An event that still waits for its effect counts as well. The time of creation is in the id, a UUID v7 of real time.
 */
export function measureEventLag(queue: string): EventLag {
  const inWork = new Set<Envelope>();
  let longestMs = 0;
  const ageMs = ({ id }: Envelope) => Math.max(0, Date.now() - (timeOfId(id) ?? Number.POSITIVE_INFINITY));
  const stop = gauge('cobro.events.lag.seconds', () => {
    for (const event of inWork) longestMs = Math.max(longestMs, ageMs(event));
    const value = longestMs / 1_000;
    longestMs = 0;
    return [{ value, queue }];
  });
  return {
    begin: (event) => void inWork.add(event),
    end: (event, applied) => {
      inWork.delete(event);
      if (applied) longestMs = Math.max(longestMs, ageMs(event));
    },
    stop,
  };
}
