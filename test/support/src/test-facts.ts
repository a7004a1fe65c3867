import type { Caller } from '@cobro/contracts/caller.ts';
import { type DataOf, type Envelope, type EventType, newEvent, type PaymentFacts } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { unset } from '@cobro/contracts/payment-fields.ts';

export const merchant = (organizationId: string): Caller => ({
  kind: 'merchant',
  by: { kind: 'key', id: newId() },
  organizationId,
});
export const partner = (partnerId: string): Caller => ({
  kind: 'partner',
  by: { kind: 'key', id: newId() },
  partnerId,
});

/** The rates of `paymentFacts`. */
export const rates = { feeBps: 350, promotionFeeDiscountBps: 100, promotionBusinessTakeBps: 200 };

let operationCode = 100_000;

/** The facts of a saved-card charge of 1000.00, as payments has them, with the given changes. */
export function paymentFacts(given: Partial<PaymentFacts> = {}): PaymentFacts {
  return {
    ...unset,
    paymentId: newId(),
    organizationId: newId(),
    type: 'CARD_NOT_PRESENT',
    source: 'SAVED_CARD',
    amount: 100_000n,
    currency: 'MXN',
    createdAt: new Date('2026-11-20T17:00:00.000Z'),
    operationCode: BigInt(operationCode++),
    terms: 1,
    installments: 'MONTHLY',
    acquirer: 'default',
    rates,
    card: {
      lastFourDigits: '4242',
      network: 'VISA',
      fundingSource: 'CREDIT',
      issuingBank: 'BANCO DE PRUEBA',
      entryMode: null,
    },
    paymentMethodId: newId(),
    transaction: approved('charge-1', '2026-11-20T17:00:01.000Z'),
    ...given,
  };
}

export const approved = (bankReference: string, time: string): PaymentFacts['transaction'] => ({
  bankReference,
  authCode: '123456',
  resultCode: '00',
  rawResponseText: 'APROBADA',
  authResult: 'APPROVED',
  createdAt: new Date(time),
});

/** An event about a payment, as payments or holds publishes it. */
export const about = <T extends EventType>(type: T, data: DataOf<T> & { paymentId: string }): Envelope =>
  newEvent(type, { subject: data.paymentId, sequence: 1, time: new Date(), data });

export const organizationEvent = (
  type: 'OrganizationRegistered' | 'OrganizationChanged',
  sequence: number,
  data: { organizationId: string; name: string; partnerId: string | null },
): Envelope =>
  newEvent(type, {
    subject: data.organizationId,
    sequence,
    time: new Date(),
    data: { ...data, websiteURL: null },
  });
