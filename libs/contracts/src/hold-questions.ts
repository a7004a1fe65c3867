import { z } from 'zod';
import type { Envelope } from './events.ts';

const event = z.unknown().transform((json) => json as Envelope);

/**
 * The answer of payments when holds asks about a payment for which holds has no hold: the HoldPlaced event itself, or the refusal
 * for the merchant. `PAYMENT_NOT_HELD` covers ordinary charges, charges without an outcome and ended holds.
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
 * The answer of holds when payments asks how a hold ended. `event` is its end, or null while it has not ended;
 * `operation` is then the purpose of the operation that is open at the bank, if there is one.
 */
export const holdEnding = z.object({ event: event.nullable(), operation: z.string().nullable() });

/**
 * The answer of holds when payments asks before it shows holds as HELD: the events of the holds that have ended. `someMissed`: the end
 * of some hold, perhaps another one, could not be handed over to payments.
 */
export const holdEndings = z.object({ events: z.array(event), someMissed: z.boolean() });

/**
 * How long payments relies on `someMissed: false`. So if the end of a hold is not handed over, holds answers its caller only this long
 * after the miss was written down.
 */
export const NOTHING_MISSED_MS = 100;

/** The answer of payments when holds asks whether requests call the bank. */
export const liveCallsAnswer = z.strictObject({ areFrequent: z.boolean() });
