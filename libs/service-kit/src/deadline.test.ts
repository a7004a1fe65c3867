import { describe, expect, test } from '@jest/globals';
import { deadlineOf } from './deadline.ts';

/** In seconds from now. */
const left = (remaining: string | undefined) => (deadlineOf(remaining) - performance.now()) / 1_000;

describe('the deadline of a request', () => {
  test('is what its caller says is left', () => {
    expect(left('12500')).toBeCloseTo(12.5, 1);
    expect(left('0')).toBeCloseTo(0, 1);
  });

  test.each([undefined, '', '-1', '1e3', '1.5', 'soon', '99999999'])('is in 20 s where it says %p', (said) => {
    expect(left(said)).toBeCloseTo(20, 1);
  });
});
