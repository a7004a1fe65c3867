import { beforeEach, describe, expect, test } from '@jest/globals';
import { createOwnWindows, type OwnWindows } from './own-windows.ts';

const WINDOW_MS = 60_000;
let at: number;
let windows: OwnWindows;

beforeEach(() => {
  at = 1_000;
  windows = createOwnWindows({ windowMs: WINDOW_MS, most: 3, now: () => at });
});

/** Counts `times` times, and returns the last result. */
const count = (key: string, times: number) => {
  for (let i = 1; i < times; i++) windows.count(key, undefined);
  return windows.count(key, undefined);
};

describe('the windows of one process', () => {
  test('begin with the first request of a key and last for their time', () => {
    expect(count('a', 1)).toEqual({ count: 1, leftMs: WINDOW_MS });
    at += WINDOW_MS - 1;
    expect(count('a', 1)).toEqual({ count: 2, leftMs: 1 });
    at += 1;
    expect(count('a', 1)).toEqual({ count: 1, leftMs: WINDOW_MS });
  });

  test('go on from what Redis counted, and end with its window', () => {
    at += 3;
    expect(windows.count('a', { count: 70, leftMs: 20_000, askedAt: at - 3 })).toEqual({ count: 70, leftMs: 19_997 });
    expect(count('a', 1)).toEqual({ count: 71, leftMs: 19_997 });
    at += 19_997;
    expect(count('a', 1)).toEqual({ count: 1, leftMs: WINDOW_MS });
  });

  test('keep their count and their end where Redis has forgotten', () => {
    count('a', 100);
    at += 40_000;
    expect(windows.count('a', { count: 1, leftMs: WINDOW_MS, askedAt: at })).toEqual({ count: 101, leftMs: 20_000 });
    at += 20_000;
    // The window of Redis that began in the middle goes on.
    expect(windows.count('a', { count: 30, leftMs: 40_000, askedAt: at })).toEqual({ count: 30, leftMs: 40_000 });
  });

  test('of two keys have nothing to do with one another', () => {
    count('a', 120);
    expect(count('b', 1)).toEqual({ count: 1, leftMs: WINDOW_MS });
  });

  test('are so many at most: the one that began first is forgotten', () => {
    count('a', 5);
    count('b', 5);
    count('c', 5);
    count('a', 1);
    count('d', 5);
    expect(['b', 'c', 'd'].map((key) => count(key, 1).count)).toEqual([6, 6, 6]);
    expect(count('a', 1).count).toBe(1);
  });

  test('that are over make room for new ones', () => {
    count('a', 5);
    at += 30_000;
    count('b', 5);
    count('c', 5);
    at += 30_000;
    count('d', 1);
    expect(['b', 'c'].map((key) => count(key, 1).count)).toEqual([6, 6]);
  });
});
