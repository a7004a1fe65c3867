/**
 * `npm run bench -- expiry [--holds 100000 --bank-ms 20 --silent 0.01 --per-second 20]`: how long holds that close at the same
 * 23:00 take to expire, at a bank that takes `--bank-ms` for a void and never answers the share `--silent`. `--per-second`
 * charges go on beside it, with their latencies before and meanwhile; 0 for none.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@cobro/postgres/with-client.ts';
import type pg from 'pg';
import { seedHistory } from '../dev/seed/seed-history.ts';
import type { Stack } from '../dev/stack/stack.ts';
import { optionsOf, print, runOnQuietStack, say } from './bench-program.ts';
import { makeMerchants } from './merchants.ts';
import { countCpu } from './pids.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import { putJson } from '@cobro/testing/put-json.ts';
import { chargeSteadily, summaryOf } from './steady-charges.ts';

const options = optionsOf({ holds: 100_000, 'bank-ms': 20, silent: 0.01, 'per-second': 0 });
const { holds, 'bank-ms': bankMs, silent, 'per-second': perSecond } = options;

const MERCHANTS = 8;
const QUIET_MS = 60_000;
/** The sweep waits for this time after the end of a window; see holds. */
const AFTER_CLOSING_MS = 11_000;
/** A run that has not ended by then has failed. */
const LONGEST_MS = 30 * 60_000;

async function fillAndExpire(stack: Stack, client: pg.Client): Promise<void> {
  await seedHistory({ ...stack, apiKey: stack.merchants.apiKey }, holds, say, 'holds');
  const rates = { slow: 1 - silent, silentDone: silent };
  await setFaults(stack.bankUrl, { kinds: ['void'], slowMs: bankMs, rates });
  const merchants = await makeMerchants(stack, MERCHANTS, say);
  // A server that has run for a while reuses files of its log. A new one makes each, while all commits wait for some 60 ms.
  await client.query('checkpoint');
  const charges = perSecond > 0 ? chargeSteadily(stack.baseUrl, merchants, perSecond) : undefined;
  if (charges !== undefined) {
    await sleep(QUIET_MS / 2);
    charges.taken();
    await sleep(QUIET_MS);
    print(`charges before: ${summaryOf(charges)}`);
  }
  await expireAll(stack, client);
  if (charges !== undefined) {
    print(`charges meanwhile: ${summaryOf(charges)}`);
    await charges.stop();
  }
}

async function expireAll(stack: Stack, client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ closes: Date }>(
    `select max(expires_at) as closes from holds.hold where status = 'HELD'`,
  );
  const closes = rows[0]?.closes ?? new Date();
  const printCpu = countCpu(stack);
  const began = performance.now();
  await putJson(stack.clockUrl, { now: new Date(closes.getTime() + AFTER_CLOSING_MS).toISOString() });
  let left = holds;
  for (; left > 0 && performance.now() - began < LONGEST_MS; await sleep(2_000)) {
    const counted = await client.query<{ left: number }>(
      `select count(*)::int as left from holds.hold where status = 'HELD' and expires_at <= $1`,
      [closes],
    );
    left = counted.rows[0]?.left ?? 0;
    say(`${((performance.now() - began) / 1_000).toFixed(0)} s: ${left} left`);
  }
  if (left > 0) throw new Error(`${left} holds are left after ${LONGEST_MS / 60_000} minutes`);
  const seconds = (performance.now() - began) / 1_000;
  print(`${holds} holds expired in ${seconds.toFixed(0)} s: ${(holds / seconds).toFixed(0)} a second`);
  printCpu(holds, 'a hold');
}

await runOnQuietStack((stack) =>
  withClient({ connectionString: stack.databaseUrl }, (client) => fillAndExpire(stack, client)),
);
