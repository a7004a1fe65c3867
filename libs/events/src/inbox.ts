import type { Envelope } from '@cobro/contracts/events.ts';
import { type Database, sql, type Tx } from '@cobro/postgres/database.ts';
import { keepRecent, type Recent } from './recent.ts';
import { eachInItsTurn } from './turns.ts';

/** Applies one event, in the transaction that also remembers the event. */
export interface EventHandler {
  (tx: Tx, event: Envelope): Promise<void>;
  /** Whether the handler applies this event of its type; absent if it applies all. */
  concerns?: (event: Envelope) => boolean;
  /** Whether applying an event twice does what applying it once does. */
  isRepeatable?: boolean;
}
export type EventHandlers = Record<string, EventHandler>;

/** The event can never be applied, however often it comes. It is parked at once. */
export class PermanentEventError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PermanentEventError';
  }
}

/**
 * Throws if an event must not be applied. It is called only for events that are new here, because a check costs more than the
 * look-up, and for the last one first, because that may vouch for the earlier ones.
 */
export type EventCheck = (event: Envelope) => void;

/** Applies several events, all or none, and each once, however often it comes. Gives the ids of the new ones. */
export type ReceiveEvents = (events: Envelope[], check: EventCheck) => Promise<ReadonlySet<string>>;

/** For events whose sender is certain, because we asked the sender or it has signed its request. */
const trusted: EventCheck = () => {};

/**
 * Applies an event once, whether the broker or a hand-over brings it: the effect and the event's id commit together. If the
 * handler throws, nothing is kept.
 */
export async function receiveEvent(
  db: Database,
  handlers: EventHandlers,
  event: Envelope,
  check: EventCheck = trusted,
): Promise<'applied' | 'duplicate' | 'ignored'> {
  if (handlerOf(handlers, event) === undefined) return 'ignored';
  return (await receiveEvents(db, handlers, [event], check)).size === 0 ? 'duplicate' : 'applied';
}

/** Applies events by these handlers, and remembers them in the inbox of this database. */
export const receiveInto =
  (db: Database, handlers: EventHandlers): ReceiveEvents =>
  (events, check) =>
    receiveEvents(db, handlers, events, check);

/**
 * Applies several events in one transaction, all or none, events of one aggregate in the given order. Gives the ids of the new ones.
 */
export async function receiveEvents(
  db: Database,
  handlers: EventHandlers,
  events: Envelope[],
  check: EventCheck = trusted,
): Promise<ReadonlySet<string>> {
  const handled = events.filter((event) => handlerOf(handlers, event) !== undefined);
  const { applied, inWork } = knownHere(db);
  const running = () => handled.flatMap(({ id }) => inWork.get(id) ?? []);
  // A copy of an event waits here, because in a transaction it would wait for the other copy's row and then roll back.
  while (running().length > 0) await Promise.allSettled(running());
  const open = handled.filter(({ id }) => !applied.has(id));
  if (open.length === 0) return new Set();
  const applying = applyNew(db, handlers, open, check);
  for (const { id } of open) inWork.set(id, applying);
  try {
    const fresh = await applying;
    for (const { id } of open) applied.add(id);
    return fresh;
  } finally {
    for (const { id } of open) inWork.delete(id);
  }
}

/** If two processes apply copies of one event, the second waits at the inbox row until the first transaction has ended. */
async function applyNew(
  db: Database,
  handlers: EventHandlers,
  events: Envelope[],
  check: EventCheck,
): Promise<ReadonlySet<string>> {
  // Every process takes its locks in the same order, so that no two processes wait for each other.
  const ids = events.map(({ id }) => id).toSorted();
  const inOrder = events.toSorted((a, b) => (a.subject < b.subject ? -1 : Number(a.subject > b.subject)));
  const enter = sql`
    insert into inbox (event_id) select unnest(${ids}::uuid[]) on conflict do nothing returning event_id as id`;
  if (check === trusted && events.every((event) => handlerOf(handlers, event)?.isRepeatable)) {
    // All statements travel together, because none of them depends on which events are new.
    const entering = await db.inTransaction(async (tx) => {
      const entered = tx.sendForRows<{ id: string }>(enter);
      await Promise.all(inOrder.map(async (event) => handlerOf(handlers, event)?.(tx, event)));
      return entered;
    });
    return new Set((await entering.rows).map(({ id }) => id));
  }
  return db.inTransaction(async (tx) => {
    const fresh = new Set((await tx.many<{ id: string }>(enter)).map(({ id }) => id));
    // Each id is taken out of `fresh` at its first use, because the same event may be in the list twice.
    const news = inOrder.filter(({ id }) => fresh.delete(id));
    const isNew = new Set(news);
    for (const event of events.toReversed()) if (isNew.has(event)) check(event);
    await eachInItsTurn(
      news,
      ({ subject }) => subject,
      async (event) => handlerOf(handlers, event)?.(tx, event),
    );
    return new Set(news.map(({ id }) => id));
  });
}

function handlerOf(handlers: EventHandlers, event: Envelope): EventHandler | undefined {
  const handler = Object.hasOwn(handlers, event.type) ? handlers[event.type] : undefined;
  return handler?.concerns?.(event) === false ? undefined : handler;
}

interface Known {
  /** Events that this process has just seen committed. A copy of one needs no look-up. */
  applied: Recent;
  /** The transactions that are applying events, by the events' ids. */
  inWork: Map<string, Promise<unknown>>;
}

const REMEMBERED = 10_000;
/** Copies come within two seconds. Longer would be wrong: after a failover the database may have lost the event, which then comes again. */
const REMEMBERED_MS = 5_000;
const known = new WeakMap<Database, Known>();

function knownHere(db: Database): Known {
  const here = known.get(db) ?? {
    applied: keepRecent(REMEMBERED, REMEMBERED_MS),
    inWork: new Map<string, Promise<unknown>>(),
  };
  known.set(db, here);
  return here;
}
