import { describe, expect, test } from '@jest/globals';
import { readStripeError } from './stripe-error.rules.ts';

describe('what Stripe’s errors mean', () => {
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
