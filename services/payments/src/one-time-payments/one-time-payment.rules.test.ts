import { Refusal } from '@cobro/contracts/refusals.ts';
import { describe, expect, test } from '@jest/globals';
import type { OneTimePaymentRow } from './one-time-payment.row.ts';
import {
  expiryOf,
  hasExpired,
  paymentRefusal,
  refuseTerms,
  showOneTimePayment,
  showPublicly,
} from './one-time-payment.rules.ts';

const now = new Date('2026-11-20T15:00:00.000Z');
const after = (ms: number) => new Date(now.getTime() + ms);
const DAY = 86_400_000;

const link = {
  id: 'link-1',
  organizationId: 'org-1',
  externalId: 'booking-7',
  status: 'PENDING',
  description: 'Dos boletos',
  amount: 149_900n,
  currency: 'MXN',
  expiresAt: after(DAY),
  redirectUrl: 'https://shop.example/thanks',
  homepageUrl: 'https://shop.example',
  allowedTerms: [1, 3],
  billing: null,
  createdAt: now,
  updatedAt: after(1),
} as unknown as OneTimePaymentRow;
const organization = { name: 'Café Tacuba', websiteUrl: 'https://cafe.example', color: null };

function refusalOf(act: () => unknown): Refusal | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

describe('the expiry of a link', () => {
  test('is a day from now unless it is said', () => {
    expect(expiryOf(undefined, now)).toEqual(after(DAY));
    expect(expiryOf(after(1), now)).toEqual(after(1));
    expect(expiryOf(after(30 * DAY), now)).toEqual(after(30 * DAY));
  });

  test.each([-1, 0, 30 * DAY + 1])('is refused %d ms from now', (ms) => {
    const message = 'must be in the future, and within 30 days';
    expect(refusalOf(() => expiryOf(after(ms), now))).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: `expiresAt: ${message}.`,
      extras: { details: [{ path: 'expiresAt', message }] },
    });
  });

  test('has come with its very millisecond', () => {
    expect(hasExpired(link, after(DAY - 1))).toBe(false);
    expect(hasExpired(link, after(DAY))).toBe(true);
  });
});

test('terms that the link does not allow are refused', () => {
  expect(refusalOf(() => refuseTerms(link, 3))).toBeUndefined();
  expect(refusalOf(() => refuseTerms(link, 6))).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'terms: must be one of those that the one-time payment allows: 1, 3.',
    extras: { details: [{ path: 'terms', message: 'must be one of those that the one-time payment allows: 1, 3' }] },
  });
});

describe('a link cannot be paid', () => {
  test('once it is paid or cancelled, before all else', () => {
    for (const status of ['CONFIRMED', 'CANCELLED'] as const) {
      expect(paymentRefusal({ ...link, status }, true, after(2 * DAY))).toBe('ONE_TIME_PAYMENT_NOT_PENDING');
    }
  });

  test('while an attempt is open, and after its expiry', () => {
    expect(paymentRefusal(link, true, after(2 * DAY))).toBe('PAYMENT_IN_PROGRESS');
    expect(paymentRefusal(link, false, after(2 * DAY))).toBe('ONE_TIME_PAYMENT_EXPIRED');
    expect(paymentRefusal(link, false, now)).toBeUndefined();
  });
});

describe('what is shown of a link', () => {
  const shown = {
    id: 'link-1',
    status: 'PENDING',
    description: 'Dos boletos',
    amount: 1499,
    currency: 'MXN',
    externalId: 'booking-7',
    expiresAt: '2026-11-21T15:00:00.000Z',
    redirectUrl: 'https://shop.example/thanks',
    homepageUrl: 'https://shop.example',
    allowedTerms: [1, 3],
    createdAt: '2026-11-20T15:00:00.000Z',
    updatedAt: '2026-11-20T15:00:00.001Z',
    billingInformation: null,
  };

  test('to its merchant is all of it', () => {
    expect(showOneTimePayment(link)).toEqual(shown);
    const ana = { email: 'ana@example.com', firstName: 'Ana', lastName: null, phoneNumber: null };
    const nowhere = { addressLine: null, city: null, state: null, zip: null };
    const known = showOneTimePayment({ ...link, billing: { ...ana, address: null } });
    expect(known).toEqual({ ...shown, billingInformation: { ...ana, address: nowhere } });
    const address = { ...nowhere, city: 'Oaxaca' };
    expect(showOneTimePayment({ ...link, billing: { ...ana, address } }).billingInformation?.address).toEqual(address);
  });

  const seen = {
    id: 'link-1',
    status: 'PENDING',
    expired: false,
    homepageUrl: 'https://shop.example',
    organization: { name: 'Café Tacuba', business: { websiteURL: 'https://cafe.example' } },
  };

  test('to everybody is what is to be paid, and less once it cannot be paid', () => {
    const payable = { amount: 1499, currency: 'MXN', expiresAt: '2026-11-21T15:00:00.000Z' };
    expect(showPublicly(link, organization, now)).toEqual({ ...seen, ...payable });
    expect(showPublicly(link, organization, after(DAY))).toEqual({ ...seen, expired: true });
    expect(showPublicly({ ...link, status: 'CONFIRMED' }, organization, now)).toEqual({ ...seen, status: 'CONFIRMED' });
  });
});
