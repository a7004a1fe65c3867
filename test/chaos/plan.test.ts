import { expect, test } from '@jest/globals';
import { faultNames, planOf } from './plan.ts';

test('the same seed gives the same plan, another seed another one', () => {
  expect(planOf(7, 10)).toEqual(planOf(7, 10));
  expect(planOf(8, 10)).not.toEqual(planOf(7, 10));
});

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'in ten minutes of seed %i everything goes wrong, and nothing at the end',
  (seed) => {
    const plan = planOf(seed, 10);
    expect(new Set(plan.map(({ fault }) => fault))).toEqual(new Set(faultNames));
    expect(Math.max(...plan.map(({ at, seconds }) => at + seconds))).toBeLessThanOrEqual(592);
  },
);

test('the clock moves while nothing else is wrong', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const plan = planOf(seed, 10);
    for (const clock of plan.filter(({ fault }) => fault === 'clock passes 23:00'))
      for (const other of plan.filter((one) => one !== clock))
        expect(other.at + other.seconds < clock.at || other.at >= clock.at + clock.seconds).toBe(true);
  }
});

test('in no run does the clock pass the days for which events are kept', () => {
  const jumps = planOf(1, 60).filter(({ fault }) => fault === 'clock passes 23:00');
  expect(jumps.length).toBe(4);
});
