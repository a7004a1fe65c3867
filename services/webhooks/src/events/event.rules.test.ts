import { type DataOf, newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { expect, test } from '@jest/globals';
import { showEvent } from './event.rules.ts';
import { onLinkPaid } from './on-link-ended.ts';

test('an event has 28 KB at most, also where every text of a link is as long as it may be', async () => {
  // JSON writes a control character in six bytes: no other takes more.
  const long = (length: number) => '\u0001'.repeat(length);
  const [oneTimePaymentId, organizationId, time] = [newId(), newId(), new Date()];
  // The length of a URL counts UTF-16 units, which have three bytes at most.
  const url = `https://${'語'.repeat(2_040)}`;
  const address = { addressLine: long(255), city: long(255), state: long(255), zip: long(20) };
  const data: DataOf<'OneTimePaymentPaid'> = {
    oneTimePaymentId,
    organizationId,
    amount: 99_999_999_999n,
    currency: 'MXN',
    description: long(500),
    externalId: long(255),
    expiresAt: time,
    redirectUrl: url,
    homepageUrl: url,
    allowedTerms: [1, 3, 6, 9, 12],
    billing: { email: long(255), firstName: long(255), lastName: long(255), phoneNumber: long(50), address },
    createdAt: time,
    endedAt: time,
  };
  const inner = newEvent('OneTimePaymentPaid', { subject: oneTimePaymentId, sequence: 2, time, data });
  const [event] = await onLinkPaid(data, inner);
  const body = event === undefined ? '' : JSON.stringify(showEvent(event));
  expect(Buffer.byteLength(body)).toBeGreaterThan(26_000);
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(28 * 1_024);
});
