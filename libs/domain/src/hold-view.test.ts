import { expect, test } from '@jest/globals';
import { viewHold } from './hold-view.ts';

const heldAt = new Date('2026-11-20T09:00:01.000-06:00');
const holdExpiresAt = new Date('2026-11-26T23:00:00.000-06:00');
const noon = new Date('2026-11-22T12:00:00.000-06:00');
const window = { heldAt: '2026-11-20T15:00:01.000Z', holdExpiresAt: '2026-11-27T05:00:00.000Z' };

test('what is held shows its window and the days that remain', () => {
  const held = { heldAt, holdExpiresAt, held: true };
  expect(viewHold(held, noon)).toEqual({ ...window, holdExpired: false, holdDaysRemaining: 5 });
  expect(viewHold(held, holdExpiresAt)).toEqual({ ...window, holdExpired: true, holdDaysRemaining: 0 });
});

test('what was held once shows its window, which expires by the clock alone, and no days', () => {
  const ended = { heldAt, holdExpiresAt, held: false };
  expect(viewHold(ended, noon)).toEqual({ ...window, holdExpired: false, holdDaysRemaining: null });
  expect(viewHold(ended, holdExpiresAt)).toEqual({ ...window, holdExpired: true, holdDaysRemaining: null });
});

test.each([
  { heldAt: null, holdExpiresAt: null },
  { heldAt, holdExpiresAt: null },
  { heldAt: null, holdExpiresAt },
])('what was never held shows nothing of a window: %o', (never) => {
  const nothing = { heldAt: null, holdExpiresAt: null, holdExpired: false, holdDaysRemaining: null };
  expect(viewHold({ ...never, held: true }, noon)).toEqual(nothing);
});
