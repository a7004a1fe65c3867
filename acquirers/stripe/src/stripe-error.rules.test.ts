import { describe, expect, test } from '@jest/globals';
import { declineCodeOf, readStripeError } from './stripe-error.rules.ts';

describe('what Stripe’s errors mean', () => {
  test.each(['charge_expired_for_capture', 'capture_charge_authorization_expired'])(
    'a capture refused with %s came after the network had let go of the money',
    (code) => expect(declineCodeOf(code)).toBe('expired'),
  );

  test('only an answer of Stripe says that it has failed', () => {
    expect(readStripeError({ type: 'StripeAPIError', statusCode: 500 })).toMatchObject({
      means: 'unknown',
      hasFailed: true,
    });
    for (const thrown of [{ type: 'StripeConnectionError' }, { type: 'StripeRateLimitError', statusCode: 429 }]) {
      expect(readStripeError(thrown)).toMatchObject({ means: 'unknown', hasFailed: false });
    }
  });
});
