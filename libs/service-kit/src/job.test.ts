import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { until } from '@cobro/testing/until.ts';
import { pino } from 'pino';
import { startJob } from './job.ts';

const log = pino({ enabled: false });

test('a job runs on while there is work, then waits, and survives its failures', async () => {
  const results = [5, 5, 0];
  const runs: number[] = [];
  const job = startJob({
    name: 'test',
    everyMs: 1_000,
    log,
    run: async () => {
      runs.push(performance.now());
      if (runs.length === 2) throw new Error('once');
      return results.shift() ?? 0;
    },
  });
  await until('it has gone on after the failure', () => runs.length >= 5);
  await job.stop();
  const waited = runs.slice(1, 5).map((at, i) => at - (runs[i] ?? 0) >= 990);
  expect(waited).toEqual([false, true, false, true]);
  const before = runs.length;
  await sleep(1_200);
  expect(runs).toHaveLength(before);
});

test('a job that is stopped lets its run end', async () => {
  let ended = false;
  const job = startJob({
    name: 'test',
    everyMs: 10,
    log,
    run: async () => {
      await sleep(100);
      ended = true;
      return 1;
    },
  });
  await job.stop();
  expect(ended).toBe(true);
});
