import { type DataOf, dataOf, type Envelope, type EventType, type SentDataOf } from '@cobro/contracts/events.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { EventHandler, EventHandlers } from './inbox.ts';

/** Applies one event, in the transaction that also remembers the event. `data` is decoded: centavos as bigint, times as dates. */
export type Handler<T extends EventType> = (tx: Tx, data: DataOf<T>, event: Envelope) => Promise<void> | void;

/** A handler, and when and how the inbox may call it. */
export interface DescribedHandler<T extends EventType> {
  /** Chooses events by their data as sent. The others cost no statement: they are not even remembered. */
  concerns?: (data: SentDataOf<T>) => boolean;
  /** Applying an event twice does what applying it once does. The inbox need not know first whether the event is new. */
  isRepeatable?: boolean;
  apply: Handler<T>;
}

/** A handler for each of these types and for no other type. */
export type HandlersFor<T extends EventType> = { readonly [K in T]: Handler<K> | DescribedHandler<K> };

/** Wraps handlers so that the data of each event is decoded by its type before the handler applies it. */
export function eventHandlers<T extends EventType>(handlers: HandlersFor<T>): EventHandlers {
  const decoding = Object.entries<Handler<T> | DescribedHandler<T>>(handlers).map(([type, handler]) => {
    const described = typeof handler === 'function' ? { apply: handler } : handler;
    const { concerns, isRepeatable = false, apply } = described;
    const decoded: EventHandler = async (tx: Tx, event: Envelope) => apply(tx, dataOf(type as T, event), event);
    decoded.isRepeatable = isRepeatable;
    if (concerns !== undefined) decoded.concerns = ({ data }) => concerns(data as SentDataOf<T>);
    return [type, decoded];
  });
  return Object.fromEntries(decoding) as EventHandlers;
}
