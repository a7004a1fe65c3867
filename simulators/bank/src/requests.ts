import { Secret } from '@cobro/contracts/secret.ts';
import { z } from 'zod';
import { type DeclineCode, declines } from './bank.rules.ts';

const centavos = z.int().positive().max(99_999_999_999).transform(BigInt);
// The patterns keep out of the books what is not a token, such as a card number in the wrong field.
const token = z.string().regex(/^tok_\w{1,60}$/, 'must be a token of this bank');
const reference = z.string().regex(/^[a-z]{3}_[\w-]{1,60}$/, 'must be a reference of this bank');
const charge = { token, amount: centavos, currency: z.literal('MXN') };

const idempotencyKey = z.uuid().toLowerCase();
export const idempotencyHeader = z.object({ 'idempotency-key': idempotencyKey });

const printed = {
  number: z.string().regex(/^\d{12,19}$/, 'must be 12 to 19 digits'),
  expirationMonth: z.int().min(1).max(12),
  expirationYear: z.int().min(2000).max(2099),
};
const cvc = z.string().regex(/^\d{3,4}$/, 'must be 3 or 4 digits');
const holderName = z.string().min(1).max(200);
/** A card as its holder types it. */
const typedCard = z.strictObject({ ...printed, cvc, holderName });
/** A card at a terminal. Its EMV data is judged by nobody here, and kept nowhere. */
const presentCard = z.strictObject({
  ...printed,
  cvc: cvc.optional(),
  holderName: holderName.optional(),
  entryMode: z.enum(['CHIP', 'CONTACTLESS', 'MAGNETIC_STRIPE', 'MANUAL']),
  emv: z.record(z.string().regex(/^[0-9A-F]{2,6}$/), z.string().regex(/^(?:[0-9A-Fa-f]{2})*$/)).default({}),
});

/** A money operation as requested, by kind. Amounts are centavos. */
export const operationRequest = {
  tokenize: z.union([typedCard, presentCard]).transform((card) => ({
    kind: 'tokenize' as const,
    number: new Secret(card.number),
    expiry: { month: card.expirationMonth, year: card.expirationYear },
    entryMode: 'entryMode' in card ? card.entryMode : null,
  })),
  authorize: z.strictObject(charge).transform((asked) => ({ kind: 'authorize' as const, ...asked })),
  sale: z
    .strictObject({ ...charge, terms: z.int().min(1).max(99).default(1) })
    .transform((asked) => ({ kind: 'sale' as const, ...asked })),
  capture: z
    .strictObject({ authorization: reference, amount: centavos })
    .transform((asked) => ({ kind: 'capture' as const, ...asked })),
  void: z.strictObject({ authorization: reference }).transform((asked) => ({ kind: 'void' as const, ...asked })),
  refund: z
    .strictObject({ original: reference, amount: centavos })
    .transform((asked) => ({ kind: 'refund' as const, ...asked })),
};

export type OperationRequest = z.output<(typeof operationRequest)[keyof typeof operationRequest]>;

export const inquiry = z.strictObject({ idempotencyKey, close: z.boolean() });

const ended = {
  idempotencyKey,
  reference,
  time: z.iso.datetime().transform((text) => new Date(text)),
  authCode: z.string().regex(/^[0-9A-Z]{6}$/),
  declineCode: z.enum(Object.keys(declines) as [DeclineCode, ...DeclineCode[]]).optional(),
};
const onCard = { ...ended, savedBy: idempotencyKey, amount: centavos };

/** Operations of the past, with what became of them. */
export const history = z.array(
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('authorize'), ...onCard }),
    z.strictObject({ kind: z.literal('sale'), ...onCard, terms: z.int().min(1).max(99) }),
    z.strictObject({ kind: z.literal('capture'), ...ended, authorization: reference, amount: centavos }),
    z.strictObject({ kind: z.literal('void'), ...ended, authorization: reference }),
    z.strictObject({ kind: z.literal('refund'), ...ended, original: reference, amount: centavos }),
  ]),
);

export const page = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,18}$/, 'must be a cursor that a page gave as next')
    .transform(BigInt)
    .default(0n),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});

/** A page of a day's settlement report: `after` is the last key of the page before. */
export const reportPage = z.strictObject({
  day: z.iso.date('must be a day, as 2026-11-20'),
  after: idempotencyKey.optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(1_000),
});
