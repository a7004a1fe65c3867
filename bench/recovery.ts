/**
 * `npm run bench -- recovery [--operations 10000 --outage silent|refuses --outage-seconds 20 --bank-ms 20 --per-second 20]`: how long it
 * takes after the bank's return until all operations that an outage left open are settled. The bank takes `--bank-ms` for an inquiry;
 * `--per-second` charges go on meanwhile, 0 for none.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import type pg from 'pg';
import { seedHistory } from '../dev/seed/seed-history.ts';
import type { Stack } from '../dev/stack/stack.ts';
import { optionsOf, print, runOnQuietStack, say } from './bench-program.ts';
import { percentile } from './figures.ts';
import { makeMerchants } from './merchants.ts';
import { countCpu } from './pids.ts';
import { booksOf } from './open-books.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import { chargeSteadily, summaryOf } from './steady-charges.ts';

const options = optionsOf({
  operations: 10_000,
  outage: 'silent',
  'outage-seconds': 20,
  'bank-ms': 20,
  'per-second': 0,
});
const { operations, outage, 'outage-seconds': outageSeconds, 'bank-ms': bankMs, 'per-second': perSecond } = options;

if (outage !== 'silent' && outage !== 'refuses') {
  say('--outage is silent or refuses');
  process.exit(64);
}

const MERCHANTS = 8;
/** A run that has not ended by then has failed. */
const LONGEST_MS = 30 * 60_000;
const EVERY_MS = 1_000;

async function breakAndSettle(stack: Stack, client: pg.Client): Promise<void> {
  const merchants = await makeMerchants(stack, MERCHANTS, say);
  // Saving cards still works, which the seeder needs.
  const silent = {
    kinds: ['authorize', 'sale', 'capture', 'void', 'refund', 'inquire'],
    rates: { silentNotDone: 1 },
  };
  await setFaults(stack.bankUrl, silent);
  await seedHistory({ ...stack, apiKey: stack.merchants.apiKey }, operations, say, 'unanswered');
  if (outage === 'refuses') await stack.processes.stop('bank');
  const charges = perSecond > 0 ? chargeSteadily(stack.baseUrl, merchants, perSecond) : undefined;
  await sleep(outageSeconds * 1_000);
  if (charges !== undefined) print(`charges in the outage: ${summaryOf(charges)}`);

  if (outage === 'refuses') await stack.processes.start('bank');
  await setFaults(stack.bankUrl, { kinds: ['inquire'], slowMs: bankMs, rates: { slow: 1 } });
  await settleAll(stack, client);
  if (charges !== undefined) {
    print(`charges meanwhile: ${summaryOf(charges)}`);
    await charges.stop();
  }
  const books = booksOf(stack);
  try {
    await untilAgreed(books.open());
  } finally {
    await books.close();
  }
  print('bank, payments, holds and reporting agree');
}

/** Waits from the bank's return until no operation is open that was open then. */
async function settleAll(stack: Stack, client: pg.Client): Promise<void> {
  const printCpu = countCpu(stack);
  const began = performance.now();
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  const first = await openBefore(client, rows[0]?.now);
  const left = [first];
  const elapsed = () => (performance.now() - began) / 1_000;
  while ((left.at(-1) ?? 0) > 0) {
    if (elapsed() * 1_000 > LONGEST_MS) throw new Error(`${left.at(-1)} are left after ${LONGEST_MS / 60_000} minutes`);
    await sleep(EVERY_MS);
    left.push(await openBefore(client, rows[0]?.now));
    say(`${elapsed().toFixed(0)} s: ${left.at(-1)} left`);
  }
  const seconds = elapsed();
  const settled = left.slice(1).map((count, i) => ((left[i] ?? 0) - count) / (EVERY_MS / 1_000));
  print(
    `${first} open operations settled within ${seconds.toFixed(0)} s of the bank's return: ${(first / seconds).toFixed(0)} a second, p50 of the seconds ${percentile(settled, 0.5).toFixed(0)}`,
  );
  printCpu(first, 'an operation');
}

async function openBefore(client: pg.Client, time: Date | undefined): Promise<number> {
  const { rows } = await client.query<{ open: number }>(
    `select (select count(*) from payments.bank_operation where status = 'open' and claimed_at <= $1)::int
       + (select count(*) from holds.bank_operation where status = 'open' and claimed_at <= $1)::int as open`,
    [time],
  );
  return rows[0]?.open ?? 0;
}

await runOnQuietStack((stack) =>
  withClient({ connectionString: stack.databaseUrl }, (client) => breakAndSettle(stack, client)),
);
