import { describe, expect, test } from '@jest/globals';
import type { Result } from './refusal.ts';
import { isRepeatable, pauseAfter } from './repeat.ts';

const refused = (status: number, retryAfterMs?: number) =>
  ({ kind: 'refused', refusal: { code: 'X', message: '', status, retryAfterMs } }) as unknown as Result<unknown>;
const lost: Result<unknown> = { kind: 'lost', why: 'ECONNRESET' };

describe('what may be sent again', () => {
  const post = { method: 'POST', repeatable: false, body: undefined };
  test.each([
    [true, { ...post, method: 'GET' }],
    [true, { ...post, repeatable: true }],
    [true, { ...post, body: { amount: 1, externalId: 'order-1' } }],
    [true, { ...post, body: { attemptId: crypto.randomUUID() } }],
    [false, post],
    [false, { ...post, method: 'DELETE' }],
    [false, { ...post, body: { amount: 1 } }],
    [false, { ...post, body: { externalId: '' } }],
    [false, { ...post, body: { externalId: null } }],
  ])('%s: %j', (expected, request) => {
    expect(isRepeatable(request)).toBe(expected);
  });
});

describe('the pause before it is sent again', () => {
  test.each<[string, Result<unknown>, number | undefined]>([
    ['no answer', lost, 1_000],
    ['503 with a time', refused(503, 3_000), 3_000],
    ['a time that is shorter than the growing pause', refused(409, 100), 1_000],
    ['502 without one', refused(502), 1_000],
    ['429 for a minute', refused(429, 60_000), 60_000],
    ['429 for ten minutes', refused(429, 600_000), undefined],
    ['409 without a time', refused(409), undefined],
    ['402', refused(402), undefined],
    ['501', refused(501), undefined],
    ['an answer', { kind: 'done', status: 201, value: {}, replayed: false }, undefined],
  ])('%s', (_name, result, expected) => {
    expect(pauseAfter(result, 2, 0.5)).toBe(expected);
  });

  test('grows, and differs between callers', () => {
    expect([0, 1, 2, 3].map((attempt) => pauseAfter(lost, attempt, 0.5))).toEqual([250, 500, 1_000, 2_000]);
    expect([pauseAfter(lost, 0, 0), pauseAfter(lost, 0, 1)]).toEqual([125, 375]);
  });
});
