import { z } from 'zod';
import { passesLuhn } from './card-data.ts';
import { offsetPage } from './paging.ts';
import {
  externalId,
  must,
  optional,
  phoneNumber,
  requiredAnyText,
  requiredText,
  text,
  textOrNull,
  time,
} from './text.ts';
import { Secret } from './secret.ts';

export const paymentMethodStatuses = ['PENDING', 'ACTIVE', 'EXPIRED', 'REVOKED'] as const;

const NO_CARD_NUMBER = 'is not a card number';
/** Checked by the use cases that save, charge or tap a card, because they know what day it is. */
export const CARD_HAS_EXPIRED = 'the card has expired';

const cardNumber = z
  .string(must('be a string'))
  .refine((n) => /^\d{12,19}$/.test(n) && passesLuhn(n), { error: NO_CARD_NUMBER })
  .meta({ pattern: '^[0-9]{12,19}$', description: NO_CARD_NUMBER })
  .transform((n) => new Secret(n));

const cvc = z
  .string(must('be a string'))
  .regex(/^\d{3,4}$/, { error: 'must have three or four digits' })
  .transform((code) => new Secret(code));

/** A card as its holder types it. Number and cvc become secrets as soon as they are parsed. */
export const cardInput = z.strictObject({
  number: cardNumber,
  expirationMonth: z.int(must('be a whole number')).min(1).max(12).meta({ description: CARD_HAS_EXPIRED }),
  expirationYear: z.int(must('be a whole number')).min(2000).max(2099),
  cvc,
  holderName: requiredAnyText(255),
});
export type CardInput = z.output<typeof cardInput>;

/** How a terminal read a card. */
export const entryModes = ['CHIP', 'CONTACTLESS', 'MAGNETIC_STRIPE', 'MANUAL'] as const;

/** A card at a terminal. `emv` is hexadecimal text by tag. Tags 57 and 5A hold the card number, so all of `emv` is secret. */
export const tappedCard = z.strictObject({
  ...cardInput.pick({ number: true, expirationMonth: true, expirationYear: true }).shape,
  entryMode: z.enum(entryModes, { error: `must be one of ${entryModes.join(', ')}` }),
  emv: z
    .record(
      z.string().regex(/^[0-9A-F]{2,6}$/, { error: 'must be a tag in hexadecimal digits' }),
      z.string().regex(/^(?:[0-9A-Fa-f]{2}){0,255}$/, { error: 'must be hexadecimal text' }),
    )
    .nullish()
    .transform((emv) => new Secret(emv ?? {})),
});
export type TappedCard = z.output<typeof tappedCard>;

const address = z.strictObject({
  addressLine: optional(text(255)),
  city: optional(text(255)),
  state: optional(text(255)),
  zip: optional(text(20)),
});

/** Who pays, as far as the merchant or payer says. */
export const billingInformation = z.strictObject({
  email: optional(text(255)),
  firstName: optional(text(255)),
  lastName: optional(text(255)),
  phoneNumber: optional(phoneNumber),
  address: optional(address),
});

export type BillingInformation = z.output<typeof billingInformation>;

export const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Who pays a one-time payment: the same fields, but email and name are required, because a receipt needs an address. */
export const payerInformation = z.strictObject(
  {
    ...billingInformation.shape,
    email: text(255)
      .refine((value) => EMAIL.test(value), { error: 'must be an email address' })
      .meta({ pattern: EMAIL.source }),
    firstName: requiredText(255),
    lastName: requiredText(255),
  },
  must('be an object'),
);
export type PayerInformation = z.output<typeof payerInformation>;

/** Body of POST /payment-method. */
export const savePaymentMethodBody = z.strictObject({
  externalId,
  card: cardInput,
  billingInformation: optional(billingInformation),
});
export type SavePaymentMethodBody = z.output<typeof savePaymentMethodBody>;

export const paymentMethod = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(paymentMethodStatuses),
    externalId: textOrNull,
    card: z.strictObject({ lastFourDigits: z.string(), networkType: z.string() }),
    createdAt: time,
  })
  .meta({ id: 'PaymentMethod' });
export type PaymentMethod = z.output<typeof paymentMethod>;

/** Query of GET /payment-method. */
export const paymentMethodQuery = z.strictObject({ ...offsetPage, status: z.enum(paymentMethodStatuses).optional() });
