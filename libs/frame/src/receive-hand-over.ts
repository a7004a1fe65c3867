import { producerOf } from '@cobro/contracts/events.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { handOverEvent } from '@cobro/contracts/routes/internal.ts';
import { idsOfEvent } from '@cobro/contracts/span-ids.ts';
import { type EventHandlers, receiveEvent } from '@cobro/events/inbox.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { route, type ServedRoute } from '@cobro/service-kit/serve-route.ts';
import { tellSpan } from '@cobro/service-kit/tell-span.ts';

/** The route by which another service hands an event over, which is applied as one from the broker is. */
export const receiveHandOver = <Deps>(db: Database, handlers: EventHandlers): ServedRoute<Deps> =>
  route(handOverEvent, async (_deps: Deps, { caller, readBody }) => {
    const event = readBody();
    tellSpan(idsOfEvent(event));
    // A type that is not known here is a newer service's, and no handler applies it.
    const producer = producerOf(event.type) ?? caller.name;
    if (producer !== caller.name) {
      throw new Refusal('FORBIDDEN', { message: `Only ${producer} hands over ${event.type}.` });
    }
    return ok({ result: await receiveEvent(db, handlers, event) });
  });
