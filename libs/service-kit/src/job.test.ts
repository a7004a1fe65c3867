import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { until } from '@cobro/testing/until.ts';
import { pino } from 'pino';
import { startJob } from './job.ts';

const log = pino({ enabled: false });

test('a job runs on while there is work, then waits, and survives its failures', async () => {
  const results = [5, 5, 0];
  let runs = 0;
  const job = startJob({
    name: 'test',
    everyMs: 1_000,
    log,
    run: async () => {
      runs++;
      if (runs === 2) throw new Error('once');
      return results.shift() ?? 0;
    },
  });
  await until('the failure', () => runs >= 2);
  await sleep(50);
  expect(runs).toBe(2);
  await until('it has gone on', () => runs >= 4);
  await sleep(50);
  expect(runs).toBe(4);
  await job.stop();
  await sleep(1_200);
  expect(runs).toBe(4);
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
