import { createHmac } from 'node:crypto';
import type { CardInput } from '@cobro/contracts/payment-methods.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { cardExpired } from '@cobro/domain/mexico-city.ts';
import { byEach, type KeyRing } from '@cobro/service-kit/key-ring.ts';

type Details = Pick<CardInput, 'number' | 'expirationMonth' | 'expirationYear'>;

/** @throws Refusal 400 where the card's month has passed in Mexico City */
export function refuseExpired({ expirationMonth: month, expirationYear: year }: Details, now: Date): void {
  if (!cardExpired({ month, year }, now)) return;
  const detail = { path: 'card.expirationMonth', message: 'the card has expired' };
  throw new Refusal('VALIDATION_ERROR', { message: `${detail.path}: ${detail.message}.`, details: [detail] });
}

/** Keyed hash of number and expiry, by each key: shows whether two requests are about the same card. The first is what is kept. */
export function fingerprintsOf(keys: KeyRing, card: Details): [Buffer, ...Buffer[]] {
  const identity = `${card.number.reveal()}/${card.expirationYear}-${card.expirationMonth}`;
  return byEach(keys, (key) => createHmac('sha256', key.reveal()).update(identity).digest());
}
