import { expect, test } from '@jest/globals';
import { createWaker } from './waker.ts';

const NEVER = 3_600_000;
const going = new AbortController().signal;

test('whoever is woken during a pause, or was before it, looks again, and each time once', async () => {
  const waker = createWaker();
  waker.wake();
  await waker.pause(1, NEVER, going);
  let isOver = false;
  const second = waker.pause(1, NEVER, going).then(() => (isOver = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isOver).toBe(false);
  waker.wake();
  await second;
});

test('a pause ends by itself, and when its work is stopped', async () => {
  const waker = createWaker();
  await expect(waker.pause(1, 2, going)).resolves.toBeUndefined();
  const stopping = new AbortController();
  const paused = waker.pause(1, NEVER, stopping.signal);
  stopping.abort();
  await expect(paused).resolves.toBeUndefined();
});
