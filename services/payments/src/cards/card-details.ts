import { createHmac } from 'node:crypto';
import { CARD_HAS_EXPIRED, type CardInput } from '@cobro/contracts/payment-methods.ts';
import { refuseField } from '@cobro/contracts/validation.ts';
import { cardExpired } from '@cobro/domain/mexico-city.ts';
import { byEach, type KeyRing } from '@cobro/service-kit/key-ring.ts';

type Details = Pick<CardInput, 'number' | 'expirationMonth' | 'expirationYear'>;

/** @throws Refusal 400 if the card's month has passed in Mexico City */
export function refuseExpired({ expirationMonth: month, expirationYear: year }: Details, now: Date): void {
  if (!cardExpired({ month, year }, now)) return;
  throw refuseField('card.expirationMonth', CARD_HAS_EXPIRED);
}

/** Keyed hash of number and expiry, one for each key: shows whether two requests are about the same card. The first one is stored. */
export function fingerprintsOf(keys: KeyRing, card: Details): [Buffer, ...Buffer[]] {
  const identity = `${card.number.reveal()}/${card.expirationYear}-${card.expirationMonth}`;
  return byEach(keys, (key) => createHmac('sha256', key.reveal()).update(identity).digest());
}
