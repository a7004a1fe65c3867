import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { backOff, pause, within } from './time-limit.ts';

test('pauses double from the first to the most', () => {
  expect([0, 1, 2, 3, 4, 2_000].map(backOff(100, 500))).toEqual([100, 200, 400, 500, 500, 500]);
});

test('a result is waited for within its time, however busy this process was meanwhile', async () => {
  await expect(within(60_000, Promise.resolve('done'))).resolves.toBe('done');
  await expect(within(60_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await expect(within(5, sleep(60_000, undefined, { ref: false }))).rejects.toThrow('not done within 5 ms');

  const late = within(
    5,
    sleep(8).then(() => 'in time'),
  );
  const busyUntil = performance.now() + 50;
  while (performance.now() < busyUntil);
  await expect(late).resolves.toBe('in time');
});

test('a pause ends at once when it is aborted', async () => {
  const stop = new AbortController();
  const paused = pause(60_000, stop.signal);
  stop.abort();
  await expect(paused).resolves.toBeUndefined();
  await expect(pause(60_000, stop.signal)).resolves.toBeUndefined();
});
