import { z } from 'zod';
import type { Envelope } from './events.ts';

const event = z.unknown().transform((json) => json as Envelope);

/**
 * What payments answers when holds asks for a payment that it has no hold of: the HoldPlaced event itself, or the
 * refusal that the merchant is to see. `PAYMENT_NOT_HELD` covers ordinary charges, charges without an outcome and ended holds.
 */
export const holdAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hold'), event }),
  z.object({
    kind: z.literal('none'),
    code: z.enum(['PAYMENT_METHOD_NOT_FOUND', 'PAYMENT_NOT_FOUND', 'PAYMENT_METHOD_MISMATCH', 'PAYMENT_NOT_HELD']),
  }),
]);
export type HoldAnswer = z.output<typeof holdAnswer>;

/**
 * What holds answers when payments asks how a hold ended: the event of its end, null while it has not, and then the purpose of the
 * operation that is open at the bank, if one is.
 */
export const holdEnding = z.object({ event: event.nullable(), operation: z.string().nullable() });
