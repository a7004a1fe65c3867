import { both, openLanes } from './lanes.ts';
import { makeMerchants } from './merchants.ts';
import type { SeededStack } from './seeded-stack.ts';
import { stageHistory, type Staged } from './stage-history.ts';
import { recordAtBank } from './record-at-bank.ts';
import { writeHistory } from './write-history.ts';
import { writeUnanswered } from './write-unanswered.ts';

/**
 * Writes payments of the last three years into all schemas and the bank's books, which agree, so that holds can be captured and confirmed
 * payments refunded. The organization of `apiKey` has two fifths of the payments; the other merchants are new, some under its partner.
 * Payments and reporting answer 503 while their indexes are rebuilt. Payments whose outcome is unknown are in payments and at the bank
 * only; the services inquire about them at once.
 *
 * Both transactions (reporting's rows; all else) commit at the end. A process that dies before leaves only new merchants, and perhaps
 * entries of the bank.
 */
export async function seedHistory(
  stack: SeededStack,
  payments: number,
  say: (line: string) => void,
  what: Staged = 'history',
): Promise<void> {
  const began = performance.now();
  const done = (step: string) => say(`${((performance.now() - began) / 1_000).toFixed(1)} s: ${step}`);
  const lanes = await openLanes(stack.databaseUrl);
  const [client] = lanes;
  try {
    const merchants = await makeMerchants(stack, client, merchantsFor(payments));
    done(`${merchants.length} merchants with their cards and terminals`);
    await stageHistory(lanes, merchants, payments, what);
    done(`${payments} payments are thought up`);
    const written = what === 'unanswered' ? writeUnanswered(client, done) : writeHistory(lanes, done);
    await Promise.all([written, recordAtBank(stack, payments)]);
    done('the services and the bank have them');
    await client.query('drop schema seed cascade');
    await both(lanes, async (one, lane) => {
      for (const table of tables[lane] ?? []) await one.query(`vacuum (analyze) ${table}`);
    });
    done('done');
  } finally {
    await both(lanes, (one) => one.end());
  }
}

/** The tables with many new rows, which each lane vacuums. */
const tables = [
  ['payments.payment', 'payments.bank_operation', 'intents.payment_intent', 'intents.intent_attempt', 'holds.hold'],
  ['reporting.payment', 'reporting.payment_tally', 'reporting.day_sum'],
];

/** Ten merchants for 10,000 payments, a hundred for a million, at most 200. */
const merchantsFor = (payments: number) => Math.min(200, Math.max(4, Math.round(Math.sqrt(payments) / 10)));
