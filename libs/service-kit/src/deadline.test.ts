import { describe, expect, test } from '@jest/globals';
import { deadlineOf } from './deadline.ts';

/** Whether the deadline is `seconds` from now. */
function isIn(remaining: string | undefined, seconds: number): boolean {
  const earliest = performance.now() + seconds * 1_000;
  const deadline = deadlineOf(remaining);
  return deadline >= earliest && deadline <= performance.now() + seconds * 1_000;
}

describe('the deadline of a request', () => {
  test('is what its caller says is left', () => {
    expect(isIn('12500', 12.5)).toBe(true);
    expect(isIn('0', 0)).toBe(true);
  });

  test.each([undefined, '', '-1', '1e3', '1.5', 'soon', '99999999'])('is in 20 s where it says %p', (said) => {
    expect(isIn(said, 20)).toBe(true);
  });
});
