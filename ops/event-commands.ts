import { operationBook } from '@cobro/bank/operation-book.store.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { appendToOutbox } from '@cobro/events/outbox.ts';
import { FIRST_KEY, type Retelling } from '@cobro/events/retelling.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { command, commandTable } from '@cobro/service-kit/admin-command.ts';
import { z } from 'zod';
import { type Owners, owners, retellable } from './retellable.ts';
import { closeAll, openSchemas, schemaAddresses } from './schema-addresses.ts';

/** How many of each one run has retold. Branches and salespeople are counted with the terminals. */
type Counts = Partial<Record<(typeof retellable)[number]['counted'], number>>;

const PAGE = 500;

const retell = command({
  words: 'events retell',
  usage: '--since TIME',
  about:
    'publishes again, as new events, what happened since that time (as 2026-11-20T06:00:00Z); for a broker that has lost events',
  example: ['--since', '2026-11-20T06:00:00Z'],
  options: z.object({
    since: z.iso
      .datetime({ offset: true, error: 'must be a time, as 2026-11-20T06:00:00Z' })
      .transform((time) => new Date(time)),
  }),
  run: async (schemas: Owners, { since }): Promise<Counts> => {
    const counts: Counts = {};
    for (const { owner, counted, chosenBy, retell: retellingOf } of retellable) {
      const db = schemas[owner];
      const published =
        chosenBy === 'answer'
          ? await retellSettled(db, retellingOf(db), since)
          : await retellAll(db, retellingOf(db), chosenBy === 'time' ? since : new Date(0));
      counts[counted] = (counts[counted] ?? 0) + published;
    }
    return counts;
  },
});

async function retellAll(owner: Database, { page }: Retelling, since: Date): Promise<number> {
  let count = 0;
  for (let after: string | undefined = FIRST_KEY; after !== undefined;) {
    const { events, last } = await page(after, PAGE);
    count += await publish(
      owner,
      events.filter(({ time }) => new Date(time) >= since),
    );
    after = last;
  }
  return count;
}

async function retellSettled(owner: Database, retelling: Retelling, since: Date): Promise<number> {
  let count = 0;
  for (let after: string | undefined = FIRST_KEY; after !== undefined;) {
    const { paymentIds, last } = await operationBook(owner).settledSince(since, after);
    for (let from = 0; from < paymentIds.length; from += PAGE) {
      count += await publish(owner, await retelling.of(paymentIds.slice(from, from + PAGE)));
    }
    after = last ?? undefined;
  }
  return count;
}

/**
 * Appends to the owner's outbox, from which its relays send. No row is locked, so such an event may come after a newer one of its payment;
 * followers take events in any order.
 */
async function publish(owner: Database, events: Envelope[]): Promise<number> {
  await owner.inTransaction(async (tx) => events.forEach((event) => appendToOutbox(tx, event)));
  return events.length;
}

/** Commands on the events between services. Each schema is opened with the role of its own service. */
export const eventCommands = commandTable({
  name: 'events',
  environment: schemaAddresses(owners),
  open: (addresses): Owners => openSchemas(addresses, owners),
  close: closeAll,
  explain: databaseSentence,
  commands: [retell],
});
