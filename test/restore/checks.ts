import { setTimeout as sleep } from 'node:timers/promises';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { sql } from '@cobro/postgres/database.ts';
import { disagreementsAfter, findDisagreements } from '@cobro/testing/agreement.ts';
import { booksOf } from '../../bench/open-books.ts';
import { adminTables } from '../../ops/admin-tables.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { runCommand } from '@cobro/testing/run-command.ts';
import type { Client } from '../e2e/client.ts';
import { counted } from '../sick/felt.ts';
import { parked } from '../sick/left-behind.ts';
import type { Traffic } from '../sick/traffic.ts';
import { sendAgain, type Till } from './till.ts';

const HOUR_MS = 3_600_000;
/** In this time jobs settle what was open at the bank. */
const BY_ITSELF_MS = 10_000;
const AGREED_WITHIN_MS = 60_000;

/** The checks after the restore. Each returns a sentence for everything that is wrong. */
export function checksOf(stack: Stack, say: (line: string) => void) {
  const { databaseUrl, brokerUrl, bankUrl, eventsPrefix } = stack;
  const { open, close } = booksOf(stack);
  const books = open();
  const env = {
    DATABASE_URL: databaseUrl,
    AMQP_URL: brokerUrl,
    KEY_MODE: 'test',
    BANK_URL: bankUrl,
    EVENTS_PREFIX: eventsPrefix,
  };
  /** Runs a command as an operator types it; its output goes to the log. */
  const admin = async (line: string): Promise<string[]> => {
    const { code, out, err } = await runCommand({ tables: adminTables, args: line.split(' '), env });
    say(`npm run admin -- ${line}`);
    for (const printed of `${err}${out}`.trim().split('\n')) say(`    ${printed}`);
    return code === 0 ? [] : [`“${line}” ended with ${code}`];
  };
  return {
    /** Publishes what the broker lost again, and waits until all services know it. */
    catchUp: async () => {
      await sleep(BY_ITSELF_MS);
      const lost = await findDisagreements(books);
      say(`${lost.length} disagreements are left of what the broker has lost:`);
      for (const line of counted(lost.map(withoutIds))) say(`    ${line}`);
      const retold = await admin(`events retell --since ${new Date(Date.now() - HOUR_MS).toISOString()}`);
      const wrong = [...retold, ...(await disagreementsAfter(books, AGREED_WITHIN_MS))];
      if (wrong.length === 0) say('bank, payments, holds, intents and reporting agree');
      return wrong;
    },
    /** Every payment that was answered is there, with the status of its last answer. */
    promises: async ({ answered, promised }: Traffic) => {
      const rows = await books.payments.many<{ id: string; status: string }>(sql`
        select id, status from payment where id = any(${[...answered]})`);
      const booked = new Map(rows.map(({ id, status }) => [id, status]));
      const lost = [...answered].filter((id) => !booked.has(id));
      const broken = [...promised].filter(([id, status]) => booked.get(id) !== status);
      say(
        `of ${answered.size} payments that were answered ${lost.length} are lost; of ${promised.size} last answers ${broken.length} are not so`,
      );
      return [
        ...lost.map((id) => `${id} was answered, and is lost`),
        ...broken.map(([id, status]) => `${id} was answered as ${status}, and is ${booked.get(id)}`),
      ];
    },
    /** Every externalId, sent again, gives the same payment. */
    till: async (merchant: Client, card: string, till: Till) => {
      const unanswered = [...till.charges.values()].filter((id) => id === undefined).length;
      const wrong = await sendAgain(merchant, card, till);
      say(
        `${till.charges.size} externalIds were sent again, ${unanswered} of which had no success before: ${wrong.length} are another payment`,
      );
      return wrong;
    },
    /** Bank, payments, holds, intents and reporting agree; nothing is parked. */
    books: async () => {
      const wrong = await disagreementsAfter(books, AGREED_WITHIN_MS);
      wrong.push(...(await admin('reporting rebuild')));
      wrong.push(...(await admin(`reconcile --date ${dayInMexicoCity(new Date())}`)));
      return [...wrong, ...(await parked(stack))];
    },
    close,
  };
}

const withoutIds = (sentence: string) => sentence.replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '…');
