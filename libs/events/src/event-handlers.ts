import { type DataOf, dataOf, type Envelope, type EventType } from '@cobro/contracts/events.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { EventHandlers } from './inbox.ts';

/** Applies one event, in the transaction that also remembers the event. `data` is decoded: centavos as bigint, times as dates. */
export type Handler<T extends EventType> = (tx: Tx, data: DataOf<T>, event: Envelope) => Promise<void> | void;

/** A handler for each of these types and for no other type. */
export type HandlersFor<T extends EventType> = { readonly [K in T]: Handler<K> };

/** Wraps handlers so that the data of each event is decoded by its type before the handler applies it. */
export function eventHandlers<T extends EventType>(handlers: HandlersFor<T>): EventHandlers {
  const decoding = Object.entries<Handler<T>>(handlers).map(([type, apply]) => [
    type,
    async (tx: Tx, event: Envelope) => apply(tx, dataOf(type as T, event), event),
  ]);
  return Object.fromEntries(decoding) as EventHandlers;
}
