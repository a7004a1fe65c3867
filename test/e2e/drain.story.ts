import { setTimeout as sleep } from 'node:timers/promises';
import { inFull } from '@cobro/testing/in-full.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import type { ServiceName } from '../../services/definitions.ts';
import { balanced } from './balanced-client.ts';
import { brokenPromises, startLoad } from './load.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** How long an ending service keeps idle connections open: longer than the gateway keeps one. */
export const DRAIN_DELAY_MS = 4_200;
const WITHIN_MS = 20_000;

/** A service that is asked to end under load completes what it has begun, and every answer is in the books. */
export function drain({ stack, merchant, agreed }: StackUnderTest): void {
  /** Ends a replica under load. Returns the merchants' work. */
  const endUnderLoad = async (service: ServiceName) => {
    const card = await merchant().saveCard();
    const client = balanced(stack().urls.gateway ?? [], stack().merchants.apiKey);
    const load = startLoad(client, card);
    await until('the load is under way', () => load.done() > 30);
    const asked = performance.now();
    const exitCode = await stack().processes.stop(service);
    const tookMs = performance.now() - asked;
    await sleep(200);
    await stack().processes.start(service);
    const back = load.done();
    await until('the load is under way again', () => load.done() > back + 30);
    const work = await load.stop();
    expect(exitCode).toBe(0);
    expect(tookMs).toBeLessThan(WITHIN_MS);
    expect(work.lost).toEqual([]);
    await expect(agreed()).resolves.toBeUndefined();
    expect(await brokenPromises(merchant(), card, work)).toEqual([]);
    return work;
  };

  test('the gateway, of which there are two: merchants notice nothing', async () => {
    expect((await endUnderLoad('gateway')).refusals).toEqual([]);
  });

  test.each<ServiceName>(inFull ? ['payments', 'holds'] : ['payments'])(
    '%s: merchants are told to come back later for a moment',
    async (service) => {
      const refusals = (await endUnderLoad(service)).refusals.filter((it) => !it.startsWith('503 SERVICE_UNAVAILABLE'));
      expect(refusals).toEqual([]);
    },
  );

  testInFull('reporting: merchants notice nothing', async () => {
    expect((await endUnderLoad('reporting')).refusals).toEqual([]);
  });
}
