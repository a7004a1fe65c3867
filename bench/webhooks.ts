/**
 * `npm run bench -- webhooks [--deliveries 100000 --endpoints 1000 --hanging 0.01 --per-second 20]`: merchants with twenty endpoints each
 * charge `--per-second` cards a second in all, and each payment is sent to all twenty of its merchant. The share `--hanging` of the
 * endpoints never answers. Prints how long it takes until the others have everything, how late it came, and the CPU of a delivery.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openRun } from '../dev/stack/run.ts';
import { reportFailure } from '../dev/stack/servers/server.ts';
import { type Stack, startStack } from '../dev/stack/stack.ts';
import { stopOnSignals } from '../dev/stack/stop-on-signals.ts';
import { cpuMsEach, cpuSeconds } from './cpu.ts';
import { makeEndpoint, openReceiver } from './endpoints.ts';
import { percentile } from './figures.ts';
import { makeMerchants } from './merchants.ts';
import type { Merchant } from './payment-requests.ts';
import { pidsOf } from './pids.ts';
import { chargeSteadily } from './steady-charges.ts';

const say = (line: string) => void process.stderr.write(`${line}\n`);
const print = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '100000' },
    endpoints: { type: 'string', default: '1000' },
    hanging: { type: 'string', default: '0.01' },
    'per-second': { type: 'string', default: '20' },
  },
});
const [deliveries, endpoints, hanging, perSecond] = [
  values.deliveries,
  values.endpoints,
  values.hanging,
  values['per-second'],
].map(Number) as [number, number, number, number];

/** The most that a merchant may have. */
const OF_ONE = 20;
const LOOK_EVERY_MS = 500;
/** A run that has no end by then has failed. */
const LONGEST_MS = 30 * 60_000;

/** Counts each event once for each endpoint, and notes how late it came. What hangs has no answer. */
async function startReceiver() {
  const came = new Set<string>();
  const lateMs: number[] = [];
  const { url } = await openReceiver((path, { id, createdAt }) => {
    if (path.startsWith('/hangs')) return false;
    if (!came.has(`${path} ${id}`)) lateMs.push(Date.now() - Date.parse(createdAt));
    came.add(`${path} ${id}`);
    return true;
  });
  return { url, came, lateMs };
}

/** Gives how many of them answer. */
async function makeEndpoints({ baseUrl }: Stack, merchants: Merchant[], receiver: string): Promise<number> {
  say(`making ${endpoints} endpoints`);
  const hangsEach = hanging > 0 ? Math.round(1 / hanging) : Number.POSITIVE_INFINITY;
  let answering = 0;
  for (let n = 0; n < endpoints; n++) {
    const merchant = merchants[n % merchants.length];
    const hangs = n % hangsEach === hangsEach - 1;
    if (!hangs) answering++;
    const url = `${receiver}/${hangs ? 'hangs' : 'answers'}/${n}`;
    await makeEndpoint(baseUrl, merchant?.apiKey ?? '', { url, types: ['payment.confirmed'] });
  }
  return answering;
}

async function bench(): Promise<void> {
  const run = openRun();
  stopOnSignals(run, say);
  const stack = await startStack({ run, say, telemetry: false });
  try {
    const receiver = await startReceiver();
    const merchants = await makeMerchants(stack, Math.ceil(endpoints / OF_ONE), say);
    const answering = await makeEndpoints(stack, merchants, receiver.url);
    const charges = Math.ceil(deliveries / OF_ONE / merchants.length) * merchants.length;
    const expected = (charges / merchants.length) * answering;
    const before = cpuSeconds(pidsOf(stack));
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1_000;
    const charging = chargeSteadily(stack.baseUrl, merchants, perSecond);
    let made = 0;
    let stopped: Promise<void> | undefined;
    for (let looks = 1; receiver.came.size < expected; looks++) {
      await sleep(LOOK_EVERY_MS);
      made += charging.taken().latencies.length;
      if (made >= charges) await (stopped ??= charging.stop());
      if (performance.now() - began > LONGEST_MS) throw new Error(`${receiver.came.size} of ${expected} have come`);
      if (looks % 20 === 0) say(`${seconds().toFixed(0)} s: ${made} charges, ${receiver.came.size} came`);
    }
    const took = seconds();
    print(
      `${receiver.came.size} events came to ${answering} endpoints in ${took.toFixed(0)} s, while ${endpoints - answering} hung`,
    );
    const late = [0.5, 0.99].map((share) => percentile(receiver.lateMs, share).toFixed(0));
    print(`after the payment, p50 and p99: ${late.join(' and ')} ms`);
    for (const [name, ms] of Object.entries(cpuMsEach(before, cpuSeconds(pidsOf(stack)), receiver.came.size))) {
      print(`CPU ms a delivery, ${name}: ${ms.toFixed(2)}`);
    }
  } finally {
    await stack.stop();
  }
}

await bench().catch((error: unknown) => process.exit(reportFailure(say)(error)));
process.exit();
