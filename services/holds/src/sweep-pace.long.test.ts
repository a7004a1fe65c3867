import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { paceBesideRequests as beside } from '@cobro/bank/bank-permits.ts';
import { askForLiveCalls } from '@cobro/contracts/routes/internal.ts';
import type { FlowPace } from '@cobro/service-kit/flow.ts';
import { openServiceClient, type ServiceClient } from '@cobro/service-kit/service-client.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { until } from '@cobro/testing/until.ts';
import { createSweepPace, type SweepPace } from './sweep-pace.ts';

/** How long after the end of its window a hold is released. */
const SOON_MS = 11_000;

let services: RunningServices;
let holds: TestHolds;
let payments: ServiceClient;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'] });
  holds = await testHolds(services);
  payments = openServiceClient({
    baseUrl: services.url('payments'),
    service: 'holds',
    to: 'payments',
    sign: (caller, to) => services.keys.token('holds', caller, to),
  });
});
afterAll(async () => {
  await payments?.close();
  await services?.stop();
});

const learning = (sweep: SweepPace, pace: FlowPace | undefined, meanwhile: () => Promise<unknown> = async () => {}) =>
  until(`the sweep has ${pace === undefined ? 'no pace' : 'a pace'}`, async () => {
    sweep.learn(SOON_MS);
    await meanwhile();
    return sweep.pace() === pace;
  });
const placeFive = () => Promise.all(Array.from({ length: 5 }, () => holds.place()));

test('the sweep makes way unless payments says that hardly any requests call the bank', async () => {
  const sweep = createSweepPace(payments, () => false);
  expect(sweep.pace()).toBe(beside);
  await learning(sweep, undefined);
  await learning(sweep, beside, placeFive);
  const caller = { kind: 'service', name: 'holds' } as const;
  await until('payments says so', async () => {
    await placeFive();
    const { body } = await services.call('payments', { path: askForLiveCalls.path, caller });
    return isDeepStrictEqual(body, { areFrequent: true });
  });
  // No card was charged for five seconds.
  await learning(sweep, undefined);
});

test('it does at once where requests to this process call the bank', async () => {
  let live = false;
  const sweep = createSweepPace(payments, () => live);
  await learning(sweep, undefined);
  live = true;
  expect(sweep.pace()).toBe(beside);
});

test('it does not where the holds might be late for the bank', () => {
  const sweep = createSweepPace(payments, () => true);
  sweep.learn(8 * 60_000);
  expect(sweep.pace()).toBe(beside);
  sweep.learn(10 * 60_000);
  expect(sweep.pace()).toBeUndefined();
  // The bank has closed by now.
  sweep.learn(31 * 60_000);
  expect(sweep.pace()).toBe(beside);
});

test('it does while payments does not answer', async () => {
  const sweep = createSweepPace(payments, () => false);
  await learning(sweep, undefined);
  await services.kill('payments');
  try {
    await expect(learning(sweep, beside)).resolves.toBeUndefined();
  } finally {
    await services.restart('payments');
  }
  await learning(sweep, undefined);
});
