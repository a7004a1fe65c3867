import { expect, test } from '@jest/globals';
import { growingPauses } from './pauses.ts';

const pausesOf = (random: () => number) => {
  const pauses = growingPauses({ firstMs: 100, longestMs: 1_000, random });
  return [1, 2, 3, 4, 5, 6].map(() => pauses.next());
};

test('pauses double until they are the longest', () => {
  expect(pausesOf(() => 1)).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});

test('chance takes up to half of a pause, and never all of it', () => {
  expect(pausesOf(() => 0)).toEqual([50, 100, 200, 400, 500, 500]);
});

test('a Retry-After makes a pause longer, and never shorter', () => {
  const pauses = growingPauses({ firstMs: 100, longestMs: 1_000, random: () => 1 });
  expect([pauses.next(3_000), pauses.next(10)]).toEqual([3_000, 200]);
});

test('after a success the pauses begin anew', () => {
  const pauses = growingPauses({ firstMs: 100, longestMs: 1_000, random: () => 1 });
  pauses.next();
  pauses.next();
  pauses.reset();
  expect(pauses.next()).toBe(100);
});
