import { expect, test } from '@jest/globals';
import { declineReasonOf } from './decline-reason.ts';

test.each([
  ['insufficient_funds', 'insufficientFunds'],
  ['expired_card', 'expiredCard'],
  ['incorrect_cvc', 'wrongCvc'],
  ['invalid_number', 'wrongNumber'],
  ['unsupported_network', 'unsupportedNetwork'],
  ['not_processed', 'notProcessed'],
  ['key_closed', 'notProcessed'],
  ['do_not_honor', 'generic'],
  ['lost_card', 'generic'],
  ['stolen_card', 'generic'],
  ['constructor', 'generic'],
  ['', 'generic'],
])('the bank says %s, the page %s', (declineCode, reason) => {
  expect(declineReasonOf(declineCode)).toBe(reason);
});
