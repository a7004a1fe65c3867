import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import { recentReadiness } from './degradation.ts';

test('whoever asks often is told what was so within the last second, and the database is asked once', async () => {
  let timesAsked = 0;
  let isAway = false;
  const ready = recentReadiness(async () => {
    timesAsked++;
    if (isAway) throw new Error('away');
    return [];
  });
  const begun = performance.now();
  await Promise.all(Array.from({ length: 50 }, ready));
  expect(timesAsked).toBeLessThanOrEqual(Math.ceil((performance.now() - begun) / 1_000));
  isAway = true;
  const fails = () =>
    ready().then(
      () => false,
      () => true,
    );
  await until('it has noticed', fails);
  isAway = false;
  await until('it has noticed', async () => !(await fails()));
});
