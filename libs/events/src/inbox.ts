import type { Envelope } from '@cobro/contracts/events.ts';
import { type Database, sql, type Tx } from '@cobro/postgres/database.ts';
import { eachInItsTurn } from './turns.ts';

/** One event's effect, in the transaction that also remembers the event. */
export type EventHandler = (tx: Tx, event: Envelope) => Promise<void>;
export type EventHandlers = Record<string, EventHandler>;

/** The event will never be applied, however often it comes: it is parked at once. */
export class PermanentEventError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PermanentEventError';
  }
}

/**
 * Applies an event once, whoever brings it (the broker or a direct hand-over) and however often: effect and event id
 * commit together. Two copies at once: the second waits for the first. Throws what the handler throws; nothing is kept then.
 */
export async function receiveEvent(
  db: Database,
  handlers: EventHandlers,
  event: Envelope,
): Promise<'applied' | 'duplicate' | 'ignored'> {
  const handler = handlerOf(handlers, event);
  if (handler === undefined) return 'ignored';
  if (appliedHere(db).has(event.id)) return 'duplicate';
  const result = await applyOnce(db, handler, event);
  remember(db, event);
  return result;
}

/**
 * The same for several events, in one transaction: all of them or, when it throws, none. Those of one aggregate in the order
 * in which they are given.
 */
export async function receiveEvents(db: Database, handlers: EventHandlers, events: Envelope[]): Promise<void> {
  const open = events.filter((event) => handlerOf(handlers, event) !== undefined && !appliedHere(db).has(event.id));
  if (open.length <= 1) {
    for (const event of open) await receiveEvent(db, handlers, event);
    return;
  }
  // Each process takes its locks in the same order, so that no two wait for each other.
  const ids = open.map(({ id }) => id).toSorted();
  const inOrder = open.toSorted((a, b) => (a.subject < b.subject ? -1 : Number(a.subject > b.subject)));
  await db.inTransaction(async (tx) => {
    const entered = await tx.many<{ id: string }>(sql`
      insert into inbox (event_id) select unnest(${ids}::uuid[]) on conflict do nothing returning event_id as id`);
    const fresh = new Set(entered.map(({ id }) => id));
    // Taken out of it one by one: the same event may have come twice.
    const news = inOrder.filter(({ id }) => fresh.delete(id));
    await eachInItsTurn(
      news,
      ({ subject }) => subject,
      async (event) => handlerOf(handlers, event)?.(tx, event),
    );
  });
  for (const event of open) remember(db, event);
}

const handlerOf = (handlers: EventHandlers, { type }: Envelope) =>
  Object.hasOwn(handlers, type) ? handlers[type] : undefined;

const UNIQUE_VIOLATION = '23505';

/** The inbox and the effect travel together: an event that is there already fails the transaction, and nothing of it stays. */
async function applyOnce(db: Database, handler: EventHandler, event: Envelope): Promise<'applied' | 'duplicate'> {
  try {
    await db.inTransaction(async (tx) => {
      tx.send(sql`insert into inbox (event_id) values (${event.id})`);
      await handler(tx, event);
    });
    return 'applied';
  } catch (error) {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown };
    if (code === UNIQUE_VIOLATION && constraint === 'inbox_pkey') return 'duplicate';
    throw error;
  }
}

const REMEMBERED = 10_000;
const remembered = new WeakMap<Database, Set<string>>();

/** Events that this process has seen committed: what a hand-over brought need not be looked up again when the broker does. */
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

const PRUNE_BATCH = 5_000;

/**
 * Forgets events that were consumed more than `days` ago, in short transactions, and returns how many. An event that comes
 * again after that (a parked one that had been applied) would be applied twice, so keep them longer than anything is parked.
 */
export async function pruneInbox(db: Database, days: number): Promise<number> {
  for (let total = 0; ;) {
    const deleted = await db.run(sql`
      delete from inbox where event_id in (
        select event_id from inbox where consumed_at < now() - make_interval(days => ${days}) limit ${PRUNE_BATCH}
      )`);
    total += deleted;
    if (deleted < PRUNE_BATCH) return total;
  }
}
