import { expect, test } from '@jest/globals';
import { askedOfClock } from './clock.rules.ts';

// 20:00 and 23:30 in Mexico City.
const [evening, night] = [new Date('2026-11-25T02:00:00.000Z'), new Date('2026-11-25T05:30:00.000Z')];

test('a time of the day is the next one there is', () => {
  expect(askedOfClock('2259', evening)).toEqual({ now: '2026-11-25T04:59:00.000Z' });
  expect(askedOfClock('2301', evening)).toEqual({ now: '2026-11-25T05:01:00.000Z' });
  expect(askedOfClock('2259', night)).toEqual({ now: '2026-11-26T04:59:00.000Z' });
  expect(askedOfClock('2301', night)).toEqual({ now: '2026-11-26T05:01:00.000Z' });
});

test('a day is a day, and back is back', () => {
  expect(askedOfClock('day', night)).toEqual({ advanceSeconds: 86_400 });
  expect(askedOfClock('back', night)).toBeNull();
});
