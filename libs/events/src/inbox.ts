import type { Envelope } from '@cobro/contracts/events.ts';
import { type Database, sql, type Tx } from '@cobro/postgres/database.ts';
import { eachInItsTurn } from './turns.ts';

/** Applies one event, in the transaction that also remembers the event. */
export interface EventHandler {
  (tx: Tx, event: Envelope): Promise<void>;
  /** Where the handler applies only some events of its type: whether this is one of them. */
  concerns?: (event: Envelope) => boolean;
}
export type EventHandlers = Record<string, EventHandler>;

/** Says that the event can never be applied, however often it comes. Such an event is parked at once. */
export class PermanentEventError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PermanentEventError';
  }
}

/**
 * Throws where an event must not be applied. It is asked only about events that have had no effect yet, because a copy of an event
 * that was handed over before changes nothing, and a check costs more than the look-up.
 */
export type EventCheck = (event: Envelope) => void;

/** For events of whose sender we are sure, because the sender was asked or has signed its request. */
const trusted: EventCheck = () => {};

/**
 * Applies an event once, however often it comes and whether the broker or a direct hand-over brings it: the effect and the
 * event's id commit together. Of two copies that come at once the second waits for the first. If the handler throws, nothing is
 * kept and its error is thrown.
 */
export async function receiveEvent(
  db: Database,
  handlers: EventHandlers,
  event: Envelope,
  check: EventCheck = trusted,
): Promise<'applied' | 'duplicate' | 'ignored'> {
  const handler = handlerOf(handlers, event);
  if (handler === undefined) return 'ignored';
  if (appliedHere(db).has(event.id)) return 'duplicate';
  const result = await applyOnce(db, handler, event, check);
  remember(db, event);
  return result;
}

/**
 * Applies several events in one transaction: all of them or, when it throws, none. Events of one aggregate are applied in the
 * order in which they are given.
 */
export async function receiveEvents(
  db: Database,
  handlers: EventHandlers,
  events: Envelope[],
  check: EventCheck = trusted,
): Promise<void> {
  const open = events.filter((event) => handlerOf(handlers, event) !== undefined && !appliedHere(db).has(event.id));
  if (open.length <= 1) {
    for (const event of open) await receiveEvent(db, handlers, event, check);
    return;
  }
  // Every process takes its locks in the same order, so that no two processes wait for each other.
  const ids = open.map(({ id }) => id).toSorted();
  const inOrder = open.toSorted((a, b) => (a.subject < b.subject ? -1 : Number(a.subject > b.subject)));
  await db.inTransaction(async (tx) => {
    const entered = await tx.many<{ id: string }>(sql`
      insert into inbox (event_id) select unnest(${ids}::uuid[]) on conflict do nothing returning event_id as id`);
    const fresh = new Set(entered.map(({ id }) => id));
    // Each id is taken out of `fresh` at its first use, because the same event may be in the list twice.
    const news = inOrder.filter(({ id }) => fresh.delete(id));
    for (const event of news) check(event);
    await eachInItsTurn(
      news,
      ({ subject }) => subject,
      async (event) => handlerOf(handlers, event)?.(tx, event),
    );
  });
  for (const event of open) remember(db, event);
}

function handlerOf(handlers: EventHandlers, event: Envelope): EventHandler | undefined {
  const handler = Object.hasOwn(handlers, event.type) ? handlers[event.type] : undefined;
  return handler?.concerns?.(event) === false ? undefined : handler;
}

/**
 * Two copies that come at once meet at the inbox row: the second waits until the first transaction has ended. If that rolled back,
 * the second applies the event.
 */
async function applyOnce(
  db: Database,
  handler: EventHandler,
  event: Envelope,
  check: EventCheck,
): Promise<'applied' | 'duplicate'> {
  return db.inTransaction(async (tx) => {
    const entered = await tx.run(sql`insert into inbox (event_id) values (${event.id}) on conflict do nothing`);
    if (entered === 0) return 'duplicate';
    check(event);
    await handler(tx, event);
    return 'applied';
  });
}

const REMEMBERED = 10_000;
const remembered = new WeakMap<Database, Set<string>>();

/**
 * Ids of events that this process has seen committed. When the broker brings an event that was handed over before, no look-up is
 * needed.
 */
function appliedHere(db: Database): Set<string> {
  const known = remembered.get(db) ?? new Set();
  remembered.set(db, known);
  return known;
}

function remember(db: Database, { id }: Envelope): void {
  const applied = appliedHere(db);
  applied.add(id);
  if (applied.size > REMEMBERED) applied.delete(applied.values().next().value ?? '');
}
