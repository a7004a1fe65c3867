import { describe, expect, test } from '@jest/globals';
import { timeRange } from './time-range.ts';

const range = (createdAtFrom: string, createdAtTo: string) => {
  const { from, to } = timeRange({ createdAtFrom, createdAtTo });
  return [from?.toISOString(), to?.toISOString()];
};

describe('a time range', () => {
  test('a date is its whole day in Mexico City, in years with and without summer time', () => {
    expect(range('2026-11-20', '2026-11-20')).toEqual(['2026-11-20T06:00:00.000Z', '2026-11-21T05:59:59.999Z']);
    expect(range('2021-07-01', '2021-07-01')).toEqual(['2021-07-01T05:00:00.000Z', '2021-07-02T04:59:59.999Z']);
  });

  test('a date-time is that instant, whatever its offset', () => {
    const instants = ['2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.000Z'];
    expect(range('2026-11-20T06:00:00-06:00', '2026-11-20T12:00Z')).toEqual(instants);
  });

  test('microseconds exclude the millisecond that they begin in, and include the one that they end in', () => {
    const time = '2026-11-20T12:00:00.123456+00:00';
    expect(range(time, time)).toEqual(['2026-11-20T12:00:00.124Z', '2026-11-20T12:00:00.123Z']);
    const whole = '2026-11-20T12:00:00.123000Z';
    expect(range(whole, whole)).toEqual(['2026-11-20T12:00:00.123Z', '2026-11-20T12:00:00.123Z']);
  });

  test.each([
    ['2026-11-20T12:00:00.1234Z', '.124'],
    ['2026-11-20T12:00:00.123004Z', '.124'],
    ['2026-11-20T12:00:00.1230Z', '.123'],
    ['2026-11-20T00:00:00.123-12:00', '.123'],
  ])('%s begins with the millisecond %s', (text, millisecond) => {
    expect(timeRange({ createdAtFrom: text }).from?.toISOString()).toBe(`2026-11-20T12:00:00${millisecond}Z`);
  });

  test('what is absent limits nothing', () => {
    expect(timeRange({})).toEqual({ from: undefined, to: undefined });
  });
});
