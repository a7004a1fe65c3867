import { z } from 'zod';
import { entryModes } from '../payment-methods.ts';
import { Secret } from '../secret.ts';

export const mostCentavos = 99_999_999_999;

/** Whole centavos, read as a bigint. */
const centavos = z.int().min(1).max(mostCentavos).transform(BigInt).meta({ description: 'Whole centavos.' });

/** An identifier that the acquirer gave: a token or a reference. It is sent back exactly as it came. */
export const identifier = z.string().regex(/^[\x21-\x7e]{1,256}$/);

export const idempotencyKey = z.uuid().toLowerCase();

const printed = {
  number: z
    .string()
    .regex(/^\d{12,19}$/, 'must be 12 to 19 digits')
    .transform((number) => new Secret(number)),
  expirationMonth: z.int().min(1).max(12),
  expirationYear: z.int().min(2000).max(2099),
};
const cvc = z
  .string()
  .regex(/^\d{3,4}$/, 'must be 3 or 4 digits')
  .transform((code) => new Secret(code));
const holderName = z.string().min(1).max(255);

const typedCard = z.strictObject({
  ...printed,
  cvc,
  holderName,
  use: z.enum(['once', 'saved']).meta({
    description:
      '`saved`: the token is charged again and again. `once`: it is good for one attempt, and the card is stored nowhere that outlives it.',
  }),
});
const presentCard = z.strictObject({
  ...printed,
  cvc: cvc.optional(),
  holderName: holderName.optional(),
  use: z.literal('once'),
  entryMode: z.enum(entryModes),
  emv: z
    .record(z.string().regex(/^[0-9A-F]{2,6}$/), z.string().regex(/^(?:[0-9A-Fa-f]{2})*$/))
    .default({})
    .transform((emv) => new Secret(emv))
    .meta({ description: 'EMV data: hexadecimal text by tag. Tags 57 and 5A hold the number, so none of it is kept.' }),
});

const charge = {
  token: identifier,
  amount: centavos,
  currency: z.literal('MXN'),
  initiatedBy: z.enum(['customer', 'merchant']).meta({
    description: 'Who asks for this charge: the cardholder who is there, or the merchant with a card that was saved.',
  }),
  merchant: z
    .strictObject({
      id: z.uuid(),
      descriptor: z.string().min(1).max(22).nullable().meta({
        description:
          'What the cardholder’s statement is to show of the merchant. Null: what the acquirer shows by itself.',
      }),
    })
    .meta({ description: 'The merchant for whom this is done.' }),
};

/** The body of each operation, by its kind. */
export const operationRequests = {
  tokenize: z.union([typedCard, presentCard]),
  authorize: z.strictObject(charge),
  sale: z.strictObject({
    ...charge,
    terms: z.int().min(1).max(99).meta({ description: 'Number of monthly installments; 1 is a single payment.' }),
    recurring: z.literal(true).optional().meta({
      description:
        'The charge is one of a series that the cardholder agreed to. Sent only where the capabilities say `recurring`.',
    }),
  }),
  capture: z.strictObject({ authorization: identifier, amount: centavos }),
  void: z.strictObject({ authorization: identifier }),
  refund: z.strictObject({ original: identifier, amount: centavos }),
};

export const operationKinds = ['tokenize', 'authorize', 'sale', 'capture', 'void', 'refund'] as const;
export type OperationKind = (typeof operationKinds)[number];

/** The bodies as they are sent. */
export type SentOperation = { [K in OperationKind]: z.input<(typeof operationRequests)[K]> };

/** Body of `POST /v1/inquiries`. */
export const inquiryRequest = z.strictObject({
  idempotencyKey,
  close: z.boolean().meta({
    description: 'Whether a key that was never seen is closed: whatever comes later with it is declined `key_closed`.',
  }),
});
