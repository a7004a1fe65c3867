import { createHmac } from 'node:crypto';
import type { CardInput } from '@cobro/contracts/payment-methods.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import { cardExpired } from '@cobro/domain/mexico-city.ts';

type Details = Pick<CardInput, 'number' | 'expirationMonth' | 'expirationYear'>;

/** @throws Refusal 400 where the card's month has passed in Mexico City */
export function refuseExpired({ expirationMonth: month, expirationYear: year }: Details, now: Date): void {
  if (!cardExpired({ month, year }, now)) return;
  const detail = { path: 'card.expirationMonth', message: 'the card has expired' };
  throw new Refusal('VALIDATION_ERROR', { message: `${detail.path}: ${detail.message}.`, details: [detail] });
}

/** Keyed hash of the number alone, because somebody who tries out cards would try several expiries of one number. */
export const numberFingerprintOf = (key: Secret<Buffer>, { number }: Pick<Details, 'number'>): Buffer =>
  createHmac('sha256', key.reveal()).update(`number\0${number.reveal()}`).digest();

/** Keyed hash of number and expiry, which tells whether two requests are about the same card. */
export function fingerprintOf(key: Secret<Buffer>, card: Details): Buffer {
  const identity = `${card.number.reveal()}/${card.expirationYear}-${card.expirationMonth}`;
  return createHmac('sha256', key.reveal()).update(identity).digest();
}
