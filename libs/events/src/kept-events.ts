import { type DataOf, dataOf, type Envelope, type EventType } from '@cobro/contracts/events.ts';
import type { ReceiveEvents } from './inbox.ts';

/** Makes the rows that are kept of an event, or none. `data` is decoded: centavos as bigint, times as dates. */
export type RowMaker<T extends EventType, Row> = (
  data: DataOf<T>,
  event: Envelope,
) => Promise<readonly Row[]> | readonly Row[];

/** A maker for each of these types and for no other type. */
export type RowMakersFor<T extends EventType, Row> = { readonly [K in T]: RowMaker<K, Row> };

/**
 * For a service that only keeps rows of events: the rows of a batch are written together, without an inbox, because `write` ignores
 * rows that are already there.
 */
export function keepRows<T extends EventType, Row>(
  makers: RowMakersFor<T, Row>,
  write: (rows: readonly Row[]) => Promise<void>,
): ReceiveEvents {
  const isKept = ({ type }: Envelope) => Object.hasOwn(makers, type);
  const rowsOf = async (event: Envelope) => {
    const type = event.type as T;
    return makers[type](dataOf(type, event), event);
  };
  return async (events, check) => {
    const kept = events.filter(isKept);
    for (const event of kept.toReversed()) check(event);
    const rows = (await Promise.all(kept.map(rowsOf))).flat();
    if (rows.length > 0) await write(rows);
    return new Set(kept.map(({ id }) => id));
  };
}
