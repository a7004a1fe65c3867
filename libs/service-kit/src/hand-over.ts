import type { Envelope } from '@cobro/contracts/events.ts';
import type { Log } from './log.ts';
import type { ServiceClient } from './service-client.ts';

const DEADLINE_MS = 150;
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 1_000;

/** Gives an event to its consumer before our answer goes out; settles within 150 ms whatever happens, never rejects. */
export type HandOver = (event: Envelope) => Promise<void>;

/** The broker delivers the same event anyway: a failed hand-over costs freshness, never truth. */
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
