/**
 * `npm run bench -- webhooks [--deliveries 100000 --endpoints 1000 --hanging 0.01 --per-second 20]`: merchants with twenty
 * endpoints each charge `--per-second` cards in all; the share `--hanging` of the endpoints never answers. Prints how long the
 * others take to have everything, how late it came, and the CPU of a delivery.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@cobro/client/client.ts';
import type { Stack } from '../dev/stack/stack.ts';
import { optionsOf, print, runOnQuietStack, say } from './bench-program.ts';
import { openReceiver } from './endpoints.ts';
import { percentile } from './figures.ts';
import { makeMerchants } from './merchants.ts';
import type { Merchant } from './payment-requests.ts';
import { countCpu } from './pids.ts';
import { chargeSteadily } from './steady-charges.ts';

const options = optionsOf({ deliveries: 100_000, endpoints: 1000, hanging: 0.01, 'per-second': 20 });
const { deliveries, endpoints, hanging, 'per-second': perSecond } = options;

/** The most endpoints that a merchant may have. */
const OF_ONE = 20;
const LOOK_EVERY_MS = 500;
/** A run that has not ended by then has failed. */
const LONGEST_MS = 30 * 60_000;

/** Counts each event once for each endpoint, and notes how late it came. Hanging endpoints never answer. */
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

/** Returns how many of them answer. */
async function makeEndpoints({ baseUrl }: Stack, merchants: Merchant[], receiver: string): Promise<number> {
  say(`making ${endpoints} endpoints`);
  const hangsEach = hanging > 0 ? Math.round(1 / hanging) : Number.POSITIVE_INFINITY;
  let answering = 0;
  for (let n = 0; n < endpoints; n++) {
    const merchant = merchants[n % merchants.length];
    const hangs = n % hangsEach === hangsEach - 1;
    if (!hangs) answering++;
    const url = `${receiver}/${hangs ? 'hangs' : 'answers'}/${n}`;
    const { webhookEndpoints } = createClient({ baseUrl, apiKey: merchant?.apiKey ?? '' });
    await webhookEndpoints.create({ url, types: ['payment.confirmed'] });
  }
  return answering;
}

async function bench(stack: Stack): Promise<void> {
  const receiver = await startReceiver();
  const merchants = await makeMerchants(stack, Math.ceil(endpoints / OF_ONE), say);
  const answering = await makeEndpoints(stack, merchants, receiver.url);
  const charges = Math.ceil(deliveries / OF_ONE / merchants.length) * merchants.length;
  const expected = (charges / merchants.length) * answering;
  const printCpu = countCpu(stack);
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
  printCpu(receiver.came.size, 'a delivery');
}

await runOnQuietStack(bench);
