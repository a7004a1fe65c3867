import { describe, expect, test } from '@jest/globals';
import { ASSUMED, chanceToWait, MEASURED, needsOf, processesFor, TODAY_PER_DAY, waitOfOneIn100 } from './capacity.ts';

describe('waiting', () => {
  test('follows Erlang’s formula', () => {
    expect(chanceToWait(1, 0.5)).toBeCloseTo(0.5, 10);
    expect(chanceToWait(2, 1)).toBeCloseTo(1 / 3, 10);
    expect(chanceToWait(5, 4)).toBeCloseTo(0.5541, 4);
  });

  test('is for ever where more comes than can be served, and nothing where hardly anything comes', () => {
    expect(waitOfOneIn100(2, 2, 1)).toBe(Number.POSITIVE_INFINITY);
    expect(waitOfOneIn100(2, 0.01, 1)).toBe(0);
    // One server, half busy: the wait is longer than t with the chance ½ e^(−t/2s).
    expect(waitOfOneIn100(1, 0.5, 10)).toBeCloseTo(2 * 10 * Math.log(50), 6);
  });

  test('is agreed with by a day of simulated requests', () => {
    const [servers, offered, serviceMs] = [3, 2.1, 1];
    const drawn = drawing(7);
    const free = Array.from({ length: servers }, () => 0);
    let now = 0;
    const waits = Array.from({ length: 60_000 }, () => {
      now += (-Math.log(1 - drawn()) * serviceMs) / offered;
      const next = free.indexOf(Math.min(...free));
      const begins = Math.max(now, free[next] ?? 0);
      free[next] = begins - Math.log(1 - drawn()) * serviceMs;
      return begins - now;
    }).toSorted((a, b) => a - b);
    const simulated = waits[Math.floor(waits.length * 0.99)] ?? 0;
    expect(simulated / waitOfOneIn100(servers, offered, serviceMs)).toBeCloseTo(1, 0.5);
  });
});

describe('what a load needs', () => {
  test('grows with the load, and is never less than two processes', () => {
    const loads = [1, 10, 100, 1_000].map((times) => needsOf(TODAY_PER_DAY * times));
    for (const { processes } of loads) expect(Math.min(...Object.values(processes))).toBeGreaterThanOrEqual(2);
    const payments = loads.map(({ processes }) => processes.payments);
    expect(payments).toEqual(payments.toSorted((a, b) => a - b));
    expect(loads[3]?.cores.postgres).toBeGreaterThan(loads[2]?.cores.postgres ?? 0);
  });

  test('keeps every process below its share of a core with one of them away', () => {
    const { perSecond, processes } = needsOf(1_000 * TODAY_PER_DAY, { ...ASSUMED, pairs: 0, reads: 0 });
    const busy = (perSecond * MEASURED.charge.payments) / 1_000;
    expect(busy / (processes.payments - 1)).toBeLessThanOrEqual(ASSUMED.busiest);
  });

  test('a slow bank needs processes for its calls though they cost no CPU', () => {
    const slow = needsOf(1_000 * TODAY_PER_DAY, { ...ASSUMED, bankMs: 5_000 });
    expect(slow.processes.payments).toBeGreaterThan(needsOf(1_000 * TODAY_PER_DAY).processes.payments);
    expect(slow.processes.gateway).toBe(needsOf(1_000 * TODAY_PER_DAY).processes.gateway);
  });

  test('hardly anybody may wait: more processes where the time is shorter', () => {
    const load = { perSecond: 500, serviceMs: 2, busiest: 0.9 };
    expect(processesFor({ ...load, waitMs: 1 })).toBeGreaterThan(processesFor({ ...load, waitMs: 50 }));
  });
});

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function drawing(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
