import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createSignals } from './signals.ts';

const MINUTE_MS = 60_000;

test('a signal that comes during a look is kept for the next one, and learns what that look brought', async () => {
  const signals = createSignals<string>();
  const waiter = signals.wait(['terminal', 'organization'], MINUTE_MS);
  const looked = [waiter.signal(), waiter.signal()];
  (await waiter.next())?.('nothing');
  (await waiter.next())?.('an intent');
  expect(await Promise.all(looked)).toEqual(['nothing', 'an intent']);

  const later = waiter.next();
  await nextTurn();
  const third = waiter.signal();
  (await later)?.('nothing again');
  expect(await third).toBe('nothing again');
  waiter.end();
});

test('who has waited longest comes first under each key, and whoever waits no longer is gone and answers nobody', async () => {
  const signals = createSignals<string>();
  const [first, second] = [signals.wait(['a', 'all'], MINUTE_MS), signals.wait(['b', 'all'], MINUTE_MS)];
  expect(signals.waitingFor('all')).toEqual([first, second]);
  expect(signals.waitingFor('b')).toEqual([second]);
  const [unanswered, waiting] = [first.signal(), second.next()];
  first.end();
  second.end();
  expect(await Promise.all([unanswered, waiting, first.signal(), first.next()])).toEqual(Array(4).fill(undefined));
  expect([signals.waitingFor('all'), signals.all()]).toEqual([[], []]);
});

test('waiting ends when its time is over', async () => {
  const signals = createSignals<string>();
  expect(await signals.wait(['a'], 5).next()).toBeUndefined();
  expect(signals.all()).toEqual([]);
});
