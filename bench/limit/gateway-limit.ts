import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Secret } from '@cobro/contracts/secret.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { createTokenSigner, TOKEN_HEADER } from '@cobro/service-kit/internal-token.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { cpuSeconds } from '../cpu.ts';
import { sendOrder } from '../drive.ts';
import { percentile, type Spread, spreadOf } from '../figures.ts';
import { saveCard } from '../merchants.ts';
import type { RequestsOrder } from './requests-driver.ts';

/** How a request reaches the service of payments. */
export type Way = 'straight' | 'pass-through' | 'gateway';

/** One way of one request, over all rounds. CPU in microseconds a request, of the process on the way; absent where there is none. */
export interface WayFigures {
  request: string;
  way: Way;
  perSecond: Spread;
  /** Milliseconds. */
  p50: Spread;
  p95: Spread;
  cpu: Spread | undefined;
  failed: number;
}

interface Measured {
  perSecond: number;
  p50: number;
  p95: number;
  cpu: number;
  failed: number;
}

const WAYS: Way[] = ['straight', 'pass-through', 'gateway'];
const WARM_UP_SECONDS = 4;

/** The same requests to payments straight, through a bare pass-through and through the gateway, in alternation. */
export async function measureGateway(
  stack: Stack,
  { rounds, seconds, atOnce, say }: { rounds: number; seconds: number; atOnce: number; say: (line: string) => void },
): Promise<WayFigures[]> {
  const port = await freePort();
  const payments = stack.urls.payments?.[0] ?? '';
  const passThrough = fork(join(import.meta.dirname, 'pass-through.ts'), [String(port), payments], { execArgv: [] });
  const driver = fork(join(import.meta.dirname, 'requests-driver.ts'), { execArgv: [] });
  const origins = {
    straight: payments,
    'pass-through': `http://127.0.0.1:${port}`,
    gateway: new URL(stack.baseUrl).origin,
  };
  const pids = {
    straight: [],
    'pass-through': [passThrough.pid ?? 0],
    gateway: stack.processes.pids().gateway ?? [],
  };
  try {
    await once(passThrough, 'message');
    const orderFor = await ordersOf(stack);
    const figures: WayFigures[] = [];
    for (const request of ['read of a saved card', 'charge'] as const) {
      const measure = async (way: Way, forSeconds: number) => {
        const order = { ...(await orderFor(request, way)), origin: origins[way], atOnce, seconds: forSeconds };
        return measureOnce(driver, order, pids[way]);
      };
      say(`${request}: straight, through a bare pass-through, and through the gateway`);
      for (const way of WAYS) await measure(way, WARM_UP_SECONDS);
      const of = new Map<Way, Measured[]>(WAYS.map((way) => [way, []]));
      for (let round = 0; round < rounds; round++) {
        for (const way of round % 2 === 0 ? WAYS : WAYS.toReversed()) of.get(way)?.push(await measure(way, seconds));
      }
      figures.push(...[...of].map(([way, all]) => ({ request, way, ...summed(all) })));
    }
    return figures;
  } finally {
    passThrough.disconnect();
    driver.disconnect();
  }
}

async function measureOnce(driver: ChildProcess, order: RequestsOrder, onTheWay: number[]): Promise<Measured> {
  const pids = { way: onTheWay };
  const before = cpuSeconds(pids)['way'] ?? Number.NaN;
  const report = await sendOrder(driver, order);
  const used = (cpuSeconds(pids)['way'] ?? Number.NaN) - before;
  if (report.done === 0) throw new Error(`no request was answered: ${report.firstFailure}`);
  return {
    perSecond: report.done / report.seconds,
    p50: percentile(report.latencies, 0.5),
    p95: percentile(report.latencies, 0.95),
    cpu: (used * 1e6) / report.done,
    failed: report.failed,
  };
}

function summed(all: Measured[]): Omit<WayFigures, 'request' | 'way'> {
  const of = (figure: keyof Measured) => spreadOf(all.map((one) => one[figure]));
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p95: of('p95'),
    cpu: all.some(({ cpu }) => Number.isNaN(cpu)) ? undefined : of('cpu'),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/**
 * The requests of one merchant. The gateway gets them with the merchant's key; to everybody else they go as the gateway would send them, with
 * a token that the gateway's own key signs. A token is good for a minute, so each run has a new one.
 */
async function ordersOf(stack: Stack) {
  const { apiKey, organizationId } = stack.merchants;
  const card = await saveCard(stack.baseUrl, apiKey, testCards.approved);
  const { INTERNAL_SIGNING_KEY = '' } = stack.processes.environmentOf('gateway');
  const caller = { kind: 'merchant', by: { kind: 'key', id: randomUUID() }, organizationId } as const;
  const json = { 'content-type': 'application/json' };
  const requests = {
    'read of a saved card': { request: { method: 'GET', path: `/payment-method/${card}` }, expected: 200 },
    charge: {
      request: { method: 'POST', path: `/payment-method/${card}/payment`, body: JSON.stringify({ amount: 150.25 }) },
      expected: 201,
    },
  } as const;
  return async (name: keyof typeof requests, way: Way) => {
    const { request, expected } = requests[name];
    if (way === 'gateway') {
      return {
        request: { ...request, path: `/api${request.path}`, headers: { ...json, 'x-api-key': apiKey } },
        expected,
      };
    }
    const token = await createTokenSigner(new Secret(JSON.parse(INTERNAL_SIGNING_KEY)))(caller, 'payments');
    return { request: { ...request, headers: { ...json, [TOKEN_HEADER]: token } }, expected };
  };
}
