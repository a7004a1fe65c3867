import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { until } from '@cobro/testing/until.ts';
import { createBatcher } from './batcher.ts';

const ends: (() => void)[] = [];
afterEach(() => ends.forEach((end) => end()));

/** The batches in work, each with a function that ends it. */
function worksOf(options: { atOnce: number; slowAfterMs: number; most: number; gatherMs?: number }) {
  const works: { items: string[]; end: () => void }[] = [];
  const work = (items: string[]) =>
    new Promise<void>((end) => {
      ends.push(end);
      works.push({ items, end });
    });
  return { works, add: createBatcher<string>({ ...options, work, keyOf: ([key = '']) => key }).add };
}
/** More turns of the event loop than any test has batches, because each batch may begin the next a turn later. */
const turns = async () => {
  for (let i = 0; i < 10; i++) await setImmediate();
};

test('what comes alone is worked on at once; what comes meanwhile goes together, in the order of the keys', async () => {
  const { works, add } = worksOf({ atOnce: 1, slowAfterMs: 60_000, most: 10 });
  add('a');
  await turns();
  for (const item of ['d', 'b', 'c']) add(item);
  await turns();
  expect(works.map(({ items }) => items)).toEqual([['a']]);
  works[0]?.end();
  await turns();
  expect(works.map(({ items }) => items)).toEqual([['a'], ['b', 'c', 'd']]);
});

test('what comes in one turn of the event loop goes together', async () => {
  const { works, add } = worksOf({ atOnce: 1, slowAfterMs: 60_000, most: 10 });
  for (const item of ['b', 'a']) add(item);
  await turns();
  expect(works.map(({ items }) => items)).toEqual([['a', 'b']]);
});

test('no more than the most go together, and never two with one key, which keep their order', async () => {
  const { works, add } = worksOf({ atOnce: 3, slowAfterMs: 60_000, most: 2 });
  for (const item of ['a1', 'a2', 'b', 'c', 'a3']) add(item);
  await turns();
  expect(works.map(({ items }) => items)).toEqual([['a1', 'b'], ['a2', 'c'], ['a3']]);
});

test('a slow one does not keep the next from beginning', async () => {
  const { works, add } = worksOf({ atOnce: 1, slowAfterMs: 20, most: 10 });
  add('slow');
  await turns();
  add('next');
  await until('the next has begun', () => works.length === 2);
  // The second batch is slow by now, too.
  await sleep(200);
  expect(works.map(({ items }) => items)).toEqual([['slow'], ['next']]);
  // The slow one makes no room again when it ends.
  works[0]?.end();
  add('third');
  add('fourth');
  await turns();
  expect(works).toHaveLength(3);
});

test('without keys, one batch at a time has all that came, in its order, and idle says when it has ended', async () => {
  const batches: string[][] = [];
  const over = Promise.withResolvers<void>();
  const batcher = createBatcher<string>({
    work: async (items) => {
      batches.push(items);
      await over.promise;
    },
  });
  await batcher.idle();
  for (const item of ['b', 'a', 'b']) batcher.add(item);
  let isIdle = false;
  const idle = batcher.idle().then(() => (isIdle = true));
  await turns();
  batcher.add('c');
  batcher.add('a');
  await turns();
  expect([batches, isIdle]).toEqual([[['b', 'a', 'b']], false]);
  over.resolve();
  await idle;
  expect(batches).toEqual([
    ['b', 'a', 'b'],
    ['c', 'a'],
  ]);
});

test('what comes alone waits for others where it is asked to', () => {
  jest.useFakeTimers();
  try {
    const { works, add } = worksOf({ atOnce: 1, slowAfterMs: 60_000, most: 10, gatherMs: 50 });
    add('b');
    jest.advanceTimersByTime(49);
    add('a');
    expect(works).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(works.map(({ items }) => items)).toEqual([['a', 'b']]);
  } finally {
    jest.useRealTimers();
  }
});

test('idle sleeps while items are gathered', async () => {
  const batcher = createBatcher<string>({ work: async () => {}, gatherMs: 300 });
  batcher.add('a');
  const begun = performance.eventLoopUtilization();
  await batcher.idle();
  expect(performance.eventLoopUtilization(begun).utilization).toBeLessThan(0.5);
});
