/**
 * `npm run drill -- soak [--minutes 90 --tills 16 --every 30]`: the chaos run's load for long, without faults. Every `--every` seconds it
 * prints what the processes hold: memory, connections, files, waiting events, messages in queues, tables that work passes through. Exits
 * with 1 if the last quarter of the run holds clearly more than the second. All samples are in .stack/soak.csv, and as a picture in
 * .stack/soak.svg.
 */
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { consumerQueue, parkedQueue, RETRY_DELAYS_MS, retryQueue } from '@cobro/events/topology.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import { connect } from 'amqplib';
import { optionsOf } from '../../bench/bench-program.ts';
import { percentile } from '../../bench/figures.ts';
import { memoryOf } from '../../bench/memory.ts';
import { pidsOf } from '../../bench/pids.ts';
import { inOwnRun, say } from '../../dev/stack/in-own-run.ts';
import { stackFolder } from '../../dev/stack/run-record.ts';
import type { Run } from '../../dev/stack/run.ts';
import { Sentence } from '../../dev/stack/servers/server.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { definitions } from '../../services/definitions.ts';
import { openShops, startChaosStack } from './chaos-stack.ts';
import { openLine } from './client.ts';
import { openHistory } from './history.ts';
import { startLoad } from './load.ts';
import { newFloor } from './shop.ts';
import { drawSamples } from './soak-picture.ts';

const options = optionsOf({ minutes: 90, tills: 16, every: 30 });

/** The measured values, by name. */
type Sample = Record<string, number>;

const csv = join(stackFolder, 'soak.csv');
const line = (cells: readonly (string | undefined)[]) => `${cells.join(',')}\n`;

/** Growth up to this factor is noise. */
const MOST_GROWTH = 1.25;
const OUTBOXES = ['payments', 'holds', 'intents', 'gateway'].map((schema) => `${schema}.outbox`);
/** Tables whose rows are soon deleted, so they stay small. */
const PASSED = [...OUTBOXES, 'payments.list_change', 'reporting.payment_change'];
/** Up to these values is noise too: a number of things, and MB. */
const [FEW, FEW_MB] = [20, 5];

async function main(run: Run): Promise<number> {
  if (options.minutes * 60 < 4 * options.every) throw new Sentence('A soak takes four samples at least.');
  const chaos = await startChaosStack(run, 2);
  const { stack } = chaos;
  const shops = await openShops(chaos, 8, { terminalsEach: 5 * options.minutes });
  const history = openHistory('/dev/null');
  const callers = openLine(stack.urls.gateway ?? [], history);
  const load = startLoad(newFloor(history), callers, shops, options.tills);
  const samples: Sample[] = [];
  const end = performance.now() + options.minutes * 60_000;
  while (performance.now() < end) {
    await sleep(options.every * 1_000);
    const ended = callers.ended.splice(0);
    const p50 = percentile(
      ended.map(({ ms }) => ms),
      0.5,
    );
    const sample: Sample = { requests: ended.length, 'requests p50 ms': p50, ...(await take(stack)) };
    if (samples.push(sample) === 1) writeFileSync(csv, line(Object.keys(sample)));
    appendFileSync(csv, line(Object.keys(samples[0] ?? {}).map((name) => sample[name]?.toFixed(1))));
    say(
      Object.entries(sample)
        .map(([name, held]) => `${name} ${held.toFixed(0)}`)
        .join(', '),
    );
  }
  await load.stop();
  await callers.close();
  await history.close();
  const names = Object.keys(samples[0] ?? {});
  writeFileSync(join(stackFolder, 'soak.svg'), drawSamples(samples, options.every));
  const grown = names.filter((name) => !name.startsWith('requests')).flatMap((name) => growthOf(name, samples));
  for (const sentence of grown) process.stdout.write(`NOT RIGHT: ${sentence}\n`);
  process.stdout.write(`${samples.length} samples, ${grown.length} things grew\n`);
  return grown.length === 0 ? 0 : 1;
}

async function take(stack: Stack): Promise<Sample> {
  const pids = Object.fromEntries(Object.entries(pidsOf(stack)).filter(([, all]) => all.length > 0));
  const memory = Object.entries(memoryOf(pids)).map(([name, { now }]) => [`${name} MB`, now]);
  const files = Object.entries(pids).map(([name, all]) => [
    `${name} files`,
    all.reduce((sum, pid) => sum + filesOf(pid), 0),
  ]);
  const held = await withClient({ connectionString: stack.databaseUrl }, async (client) => {
    const waiting = OUTBOXES.map((table) => `(select count(*) from ${table})`);
    const passed = PASSED.map((table) => `pg_total_relation_size('${table}')`);
    const { rows } = await client.query<Sample>(`
      select (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
        (${waiting.join(' + ')})::int as "events that wait",
        (${passed.join(' + ')})::float8 / 1048576 as "MB of passed tables",
        (select count(*)::int from payments.list_change) as "changes of lists",
        (select count(*)::int from reporting.payment_change) as "changes of counts"`);
    return rows[0] ?? {};
  });
  return {
    ...Object.fromEntries([...memory, ...files]),
    ...held,
    'messages in queues': await inQueues(stack),
  } as Sample;
}

async function inQueues({ brokerUrl, eventsPrefix: prefix }: Stack): Promise<number> {
  const followers = definitions
    .filter(({ follows }) => follows.length > 0)
    .map(({ name }) => consumerQueue(prefix, name));
  const retries = followers.flatMap((queue) => RETRY_DELAYS_MS.map((delayMs) => retryQueue(queue, delayMs)));
  const connection = await connect(brokerUrl);
  try {
    const channel = await connection.createChannel();
    let count = 0;
    for (const queue of [...followers, ...retries, parkedQueue(prefix)])
      count += (await channel.checkQueue(queue)).messageCount;
    return count;
  } finally {
    await connection.close();
  }
}

function filesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

function growthOf(name: string, samples: readonly Sample[]): string[] {
  const quarter = Math.floor(samples.length / 4);
  const of = (from: number) =>
    percentile(
      samples.slice(from, from + quarter).map((sample) => sample[name] ?? 0),
      0.5,
    );
  const [before, after] = [of(quarter), of(samples.length - quarter)];
  const isGrown = after > (name.includes('MB') ? FEW_MB : FEW) && after > MOST_GROWTH * before;
  return isGrown ? [`${name} grew from ${before.toFixed(0)} to ${after.toFixed(0)}`] : [];
}

await inOwnRun(main);
