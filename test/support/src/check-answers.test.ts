import { captureHold } from '@cobro/contracts/routes/saved-card-payments.ts';
import { revokePaymentMethod } from '@cobro/contracts/routes/saved-cards.ts';
import { showCheckout, submitCheckout } from '@cobro/contracts/routes/checkout.ts';
import { expect, test } from '@jest/globals';
import { brokenContracts, problemOf } from './check-answers.ts';

test('an answer that was promised is none of its business', () => {
  expect(problemOf(revokePaymentMethod, { status: 200, body: { success: true } })).toBeUndefined();
  expect(problemOf(captureHold, { status: 409, refusal: 'HOLD_WINDOW_CLOSED', body: {} })).toBeUndefined();
  // Every route with a key may refuse this way.
  expect(problemOf(captureHold, { status: 401, refusal: 'UNAUTHORIZED', body: {} })).toBeUndefined();
  expect(problemOf(showCheckout, { status: 200, text: '<p>' })).toBeUndefined();
  expect(problemOf(submitCheckout, { status: 303 })).toBeUndefined();
});

test.each([
  ['a field too many', { status: 200, body: { success: true, id: 1 } }],
  ['a field of another type', { status: 200, body: { success: 'yes' } }],
  ['no body', { status: 200 }],
  ['another status', { status: 201, body: { success: true } }],
  ['a refusal of another route', { status: 409, refusal: 'PAYMENT_NOT_HELD', body: {} } as const],
])('%s breaks the contract', (_what, answer) => {
  expect(problemOf(revokePaymentMethod, answer)).toEqual(expect.any(String));
});

test('a page must be a page, and an empty answer empty', () => {
  expect(problemOf(showCheckout, { status: 200, body: {} })).toBe('the text is missing');
  expect(problemOf(submitCheckout, { status: 303, body: {} })).toBe('it has a body');
});

test('what processes wrote about broken contracts is found, once each', () => {
  const line = 'GET /a breaks its contract: the status 500 is not declared';
  expect(brokenContracts(`one\n${line}\n{"stack":"Error: ${line}"}\n`)).toEqual([line]);
});
