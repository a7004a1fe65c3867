import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import { brokenPromises, repeatFailed, startLoad } from './load.ts';
import type { StackUnderTest } from './stack-under-test.ts';

const DEATHS = 10;
const GOES_ON_WITHIN_MS = 60_000;

/** A Postgres that is killed while claims and settlements are written, and started again on its data. */
export function postgresDies({ stack, merchant, agreed }: StackUnderTest): void {
  const testOurs = process.env['DATABASE_URL'] ? test.skip : test;

  testOurs('every payment is made once, as it was answered, and all books agree', async () => {
    const client = merchant();
    const card = await client.saveCard();
    const { postgres } = stack().servers;
    const load = startLoad(client, card);
    const underWay = async () => {
      const before = load.done();
      await until('work is under way', () => load.done() > before + 25, GOES_ON_WITHIN_MS);
    };
    for (let death = 0; death < DEATHS; death++) {
      await underWay();
      await postgres.kill();
      await postgres.start();
    }
    await underWay();
    const work = await load.stop();

    expect(work.failed.length).toBeGreaterThan(0);
    await expect(agreed()).resolves.toBeUndefined();
    expect((await repeatFailed(client, card, work)).wrong).toEqual([]);
    await expect(agreed()).resolves.toBeUndefined();
    expect(await brokenPromises(client, card, work)).toEqual([]);
  });
}
