import { operationBook } from '@cobro/bank/operation-book.store.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { appendToOutbox } from '@cobro/events/outbox.ts';
import { FIRST_KEY, type Retelling } from '@cobro/events/retelling.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { command, commandTable } from '@cobro/service-kit/admin-command.ts';
import { z } from 'zod';
import { retellOrganizations } from '../services/gateway/src/retelling.ts';
import { retellHolds } from '../services/holds/src/retelling.ts';
import { retellBranches, retellSalespeople, retellTerminals } from '../services/intents/src/retelling.ts';
import { retellPayments } from '../services/payments/src/retelling.ts';
import { openSchema, schemaAddresses } from './schema-addresses.ts';

interface Owners {
  gateway: Database;
  payments: Database;
  holds: Database;
  intents: Database;
}

/** How much one run has published again. */
interface Retold {
  organizations: number;
  /** Terminals, branches and salespeople. */
  terminals: number;
  payments: number;
  holds: number;
}

const PAGE = 500;

const retell = command({
  words: 'events retell',
  usage: '--since TIME',
  about:
    'tells the services again, as new events, what happened since that time (as 2026-11-20T06:00:00Z); for a broker that has lost events',
  example: ['--since', '2026-11-20T06:00:00Z'],
  options: z.object({
    since: z.iso
      .datetime({ offset: true, error: 'must be a time, as 2026-11-20T06:00:00Z' })
      .transform((time) => new Date(time)),
  }),
  run: async ({ gateway, payments, holds, intents }: Owners, { since }): Promise<Retold> => ({
    organizations: await retellAll(gateway, retellOrganizations(gateway)),
    terminals:
      (await retellAll(intents, retellTerminals(intents))) +
      (await retellAll(intents, retellBranches(intents))) +
      (await retellAll(intents, retellSalespeople(intents))),
    payments: await retellSettled(payments, retellPayments(payments), since),
    holds: await retellSettled(holds, retellHolds(holds), since),
  }),
});

async function retellAll(owner: Database, { page }: Retelling): Promise<number> {
  let told = 0;
  for (let after: string | undefined = FIRST_KEY; after !== undefined;) {
    const { events, last } = await page(after, PAGE);
    told += await tell(owner, events);
    after = last;
  }
  return told;
}

async function retellSettled(owner: Database, retelling: Retelling, since: Date): Promise<number> {
  let told = 0;
  for (let after: string | undefined = FIRST_KEY; after !== undefined;) {
    const { paymentIds, last } = await operationBook(owner).settledSince(since, after);
    for (let from = 0; from < paymentIds.length; from += PAGE) {
      told += await tell(owner, await retelling.of(paymentIds.slice(from, from + PAGE)));
    }
    after = last ?? undefined;
  }
  return told;
}

/**
 * Into the owner's outbox, from where its relays send them. No row is locked, so such an event may come after a newer one of its
 * payment; followers take events in any order.
 */
async function tell(owner: Database, events: Envelope[]): Promise<number> {
  await owner.inTransaction(async (tx) => events.forEach((event) => appendToOutbox(tx, event)));
  return events.length;
}

/** Commands on the events between services. Each schema is opened with the role of its own service. */
export const eventCommands = commandTable({
  name: 'events',
  environment: schemaAddresses(['gateway', 'payments', 'holds', 'intents']),
  open: (addresses): Owners => {
    const open = (schema: string) => openSchema(addresses, schema);
    return { gateway: open('gateway'), payments: open('payments'), holds: open('holds'), intents: open('intents') };
  },
  close: async (owners) => void (await Promise.all(Object.values(owners).map((owner: Database) => owner.close()))),
  explain: databaseSentence,
  commands: [retell],
});
