import { expect, test } from '@jest/globals';
import { Refusal, type RefusalCode, refusals } from './refusals.ts';

test.each(Object.entries(refusals))('%s has a status of HTTP and a sentence', (code, [status, message]) => {
  expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(600);
  expect(message).toMatch(/^\S.*\.$/);
  expect(new Refusal(code as RefusalCode)).toMatchObject({ code, status, message });
});

// interface.md, Errors.
test.each<[RefusalCode, number]>([
  ['INVALID_CAPTURE_AMOUNT', 400],
  ['CAPTURE_AMOUNT_EXCEEDS_HOLD', 400],
  ['CAPTURE_DECLINED', 402],
  ['PAYMENT_NOT_HELD', 409],
  ['HOLD_WINDOW_CLOSED', 409],
  ['HOLD_CHANNEL_UNKNOWN', 409],
  ['EXTERNAL_ID_MISMATCH', 409],
  ['RATE_LIMIT_EXCEEDED', 429],
])('%s is %d, as the interface has it', (code, status) => {
  expect(refusals[code][0]).toBe(status);
});
