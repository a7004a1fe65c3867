import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestClock, type TestClock } from '@cobro/testing/test-clock.ts';
import { openClock } from './clock.ts';

let held: TestClock;
beforeAll(async () => {
  held = await openTestClock();
  await held.move(3_600_000, []);
});
afterAll(() => held.close());

// Whole seconds: a millisecond may pass between the two readings. (Adding 0 makes minus zero a zero.)
const aheadMs = (now: Date) => Math.round((now.getTime() - Date.now()) / 1_000) * 1_000 + 0;

test('without an address, business time is real time and cannot be moved', async () => {
  const clock = await openClock(undefined);
  expect(aheadMs(clock.now())).toBe(0);
  expect(clock.move).toBeUndefined();
});

test('with one, it starts with the offset that is held there, and is moved to others', async () => {
  const clock = await openClock(held.url);
  expect(aheadMs(clock.now())).toBe(3_600_000);
  clock.move?.({ offsetMs: 7_200_000 });
  expect(aheadMs(clock.now())).toBe(7_200_000);
  for (const body of [{}, { offsetMs: 'x' }]) expect(() => clock.move?.(body)).toThrow('offsetMs');
  expect(aheadMs(clock.now())).toBe(7_200_000);
});
