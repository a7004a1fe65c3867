import { type Envelope, producerOf } from '@cobro/contracts/events.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { handOverBunch, handOverEvent } from '@cobro/contracts/routes/internal.ts';
import { idsOfEvent } from '@cobro/contracts/span-ids.ts';
import { type EventHandlers, receiveEvent, receiveEvents } from '@cobro/events/inbox.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { route, type ServedRoute } from '@cobro/service-kit/serve-route.ts';
import { annotateSpan } from '@cobro/service-kit/annotate-span.ts';

/** The routes by which another service hands events over, one or several at once. They are applied like those from the broker. */
export const receiveHandOvers = <Deps>(db: Database, handlers: EventHandlers): ServedRoute<Deps>[] => [
  route(handOverEvent, async (_deps: Deps, { caller, readBody }) => {
    const event = readBody();
    annotateSpan(idsOfEvent(event));
    refuseOthersEvent(caller, event);
    return ok({ result: await receiveEvent(db, handlers, event) });
  }),
  route(handOverBunch, async (_deps: Deps, { caller, readBody }) => {
    const events = readBody();
    for (const event of events) refuseOthersEvent(caller, event);
    await receiveEvents(db, handlers, events);
    return { status: 204 as const };
  }),
];

function refuseOthersEvent({ name }: { name: string }, { type }: Envelope): void {
  // An unknown type comes from a newer service, and no handler applies it.
  const producer = producerOf(type) ?? name;
  if (producer === name) return;
  throw new Refusal('FORBIDDEN', { message: `Only ${producer} hands over ${type}.` });
}
