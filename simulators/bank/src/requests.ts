import { idempotencyKey, operationRequests } from '@cobro/contracts/acquirer/operation-requests.ts';
import { z } from 'zod';
import { type DeclineCode, declines } from './bank.rules.ts';

// The patterns keep other texts out of the books, such as a card number in the wrong field.
const token = z.string().regex(/^tok_\w{1,60}$/, 'must be a token of this bank');
const reference = z.string().regex(/^[a-z]{3}_[\w-]{1,60}$/, 'must be a reference of this bank');
const centavos = operationRequests.capture.shape.amount;

export const idempotencyHeader = z.object({ 'idempotency-key': idempotencyKey });

/** A money operation as requested, by kind. Amounts are centavos. */
export const operationRequest = {
  tokenize: operationRequests.tokenize.transform((card) => ({
    kind: 'tokenize' as const,
    number: card.number,
    expiry: { month: card.expirationMonth, year: card.expirationYear },
    singleUse: card.use === 'once',
    entryMode: 'entryMode' in card ? card.entryMode : null,
  })),
  // Who asks, and for which merchant, changes nothing here.
  authorize: operationRequests.authorize
    .extend({ token })
    .transform(({ token: of, amount }) => ({ kind: 'authorize' as const, token: of, amount })),
  sale: operationRequests.sale
    .extend({ token })
    .transform(({ token: of, amount, terms }) => ({ kind: 'sale' as const, token: of, amount, terms })),
  capture: operationRequests.capture
    .extend({ authorization: reference })
    .transform((asked) => ({ kind: 'capture' as const, ...asked })),
  void: operationRequests.void
    .extend({ authorization: reference })
    .transform((asked) => ({ kind: 'void' as const, ...asked })),
  refund: operationRequests.refund
    .extend({ original: reference })
    .transform((asked) => ({ kind: 'refund' as const, ...asked })),
};

export type OperationRequest = z.output<(typeof operationRequest)[keyof typeof operationRequest]>;

const ended = {
  idempotencyKey,
  reference,
  time: z.iso.datetime().transform((text) => new Date(text)),
  authCode: z.string().regex(/^[0-9A-Z]{6}$/),
  declineCode: z.enum(Object.keys(declines) as [DeclineCode, ...DeclineCode[]]).optional(),
};
const onCard = { ...ended, savedBy: idempotencyKey, amount: centavos };

/** Operations of the past, with their outcomes. */
export const history = z.array(
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('authorize'), ...onCard }),
    z.strictObject({ kind: z.literal('sale'), ...onCard, terms: z.int().min(1).max(99) }),
    z.strictObject({ kind: z.literal('capture'), ...ended, authorization: reference, amount: centavos }),
    z.strictObject({ kind: z.literal('void'), ...ended, authorization: reference }),
    z.strictObject({ kind: z.literal('refund'), ...ended, original: reference, amount: centavos }),
  ]),
);

/** Disputes a charge, by the key of its sale or capture. */
export const dispute = z.strictObject({ about: idempotencyKey, amount: centavos });

export const page = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,18}$/, 'must be a cursor that a page gave as next')
    .transform(BigInt)
    .default(0n),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});
