import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@cobro/testing/until.ts';
import { pino } from 'pino';
import { type FlowOptions, type FlowPace, startFlow } from './flow.ts';
import type { Job } from './job.ts';

const log = pino({ enabled: false });
let flow: Job | undefined;
let release = Promise.withResolvers<void>();
afterEach(async () => {
  release.resolve();
  await flow?.stop();
  release = Promise.withResolvers<void>();
});

/** A flow over the numbers below `count`. */
function start(count: number, options: Partial<FlowOptions<number>>): void {
  let next = 0;
  flow = startFlow<number>({
    name: 'test',
    log,
    atOnce: 4,
    slowAtOnce: 2,
    slowAfterMs: 20,
    everyMs: 10,
    take: async (wanted) => Array.from({ length: Math.min(wanted, count - next) }, () => next++),
    work: async () => 'done',
    ...options,
  });
}

describe('a flow', () => {
  test('does all that there is, never more at once than it may, and takes nothing twice', async () => {
    const done: number[] = [];
    let underWay = 0;
    let most = 0;
    start(200, {
      slowAfterMs: 60_000,
      work: async (item) => {
        most = Math.max(most, ++underWay);
        await sleep(Math.random() * 4);
        underWay--;
        done.push(item);
        return 'done';
      },
    });
    await until('all are done', () => done.length === 200);
    expect(most).toBe(4);
    expect(new Set(done).size).toBe(200);
  });

  test('goes on past slow works, and keeps to its bound when there are too many of them', async () => {
    const done: number[] = [];
    let slow = 0;
    start(1_000, {
      work: async (item) => {
        // The first two slow ones step aside. The next four fill the room.
        if (item % 10 === 0) {
          slow++;
          await release.promise;
        }
        done.push(item);
        return 'done';
      },
    });
    await until('the room is full of slow ones', () => slow === 6);
    const before = done.length;
    expect(before).toBeGreaterThanOrEqual(45);
    await sleep(100);
    expect([slow, done.length]).toEqual([6, before]);
    release.resolve();
    await until('all are done', () => done.length === 1_000);
  });

  test('goes at a pace as long as there is one: so many together, and so many a second', async () => {
    let pace: FlowPace | undefined = { inGroup: 2, perSecond: 100 };
    let [next, done] = [0, 0];
    const asked: number[] = [];
    const begun = performance.now();
    start(0, {
      atOnce: 8,
      slowAfterMs: 60_000,
      pace: () => pace,
      take: async (wanted) => {
        asked.push(wanted);
        return Array.from({ length: Math.min(wanted, 400 - next) }, () => next++);
      },
      work: async () => {
        await sleep(2);
        done++;
        return 'done';
      },
    });
    await until('some are done', () => done >= 50);
    expect(Math.max(...asked)).toBe(2);
    // Without a pace it would have taken 15 ms.
    expect(performance.now() - begun).toBeGreaterThan(400);
    pace = undefined;
    await until('all are done', () => done === 400);
    expect(Math.max(...asked)).toBe(8);
  });

  test('tries one work after each pause where the other side refuses, and all again once it does not', async () => {
    const tried: number[] = [];
    let refuses = true;
    let done = 0;
    start(10_000, {
      atOnce: 8,
      work: async (item) => {
        tried.push(item);
        await sleep(1);
        if (!refuses) done++;
        return refuses ? 'refused' : 'done';
      },
    });
    await until('it was tried again', () => tried.length > 9);
    await sleep(500);
    // The first eight together, then one after half a second and one after a whole one.
    expect(tried.length).toBeLessThan(13);
    refuses = false;
    await until('it flows again', () => done > 1_000);
  });

  test('that is stopped lets its works end and takes no more; one that fails is not the end', async () => {
    const begun: number[] = [];
    start(1_000, {
      work: async (item) => {
        begun.push(item);
        if (item === 0) throw new Error('no');
        await release.promise;
        return 'done';
      },
    });
    await until('it is full', () => begun.length >= 4);
    const stopped = flow?.stop();
    await sleep(50);
    const before = begun.length;
    release.resolve();
    await stopped;
    expect(begun).toHaveLength(before);
  });
});
