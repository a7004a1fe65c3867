import { type DataOf, dataOf, type Envelope, type EventType } from '@cobro/contracts/events.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { EventHandlers } from './inbox.ts';

/** One event's effect, in the transaction that also remembers the event. `data` is decoded: centavos as bigint, times as dates. */
export type Handler<T extends EventType> = (tx: Tx, data: DataOf<T>, event: Envelope) => Promise<void> | void;

/** A handler for each of these types, and for no other. */
export type HandlersFor<T extends EventType> = { readonly [K in T]: Handler<K> };

/** Handlers that decode the data of each event by its type before they apply it. */
export function eventHandlers<T extends EventType>(handlers: HandlersFor<T>): EventHandlers {
  const decoding = Object.entries<Handler<T>>(handlers).map(([type, apply]) => [
    type,
    async (tx: Tx, event: Envelope) => apply(tx, dataOf(type as T, event), event),
  ]);
  return Object.fromEntries(decoding) as EventHandlers;
}
