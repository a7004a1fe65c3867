import { z } from 'zod';
import type { Envelope } from './events.ts';

const event = z.unknown().transform((json) => json as Envelope);

/**
 * The answer of payments when holds asks about a payment that holds has no hold of: the HoldPlaced event itself, or the refusal
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
 * The answer of holds when payments asks before it shows holds as HELD: the events of those that have ended. `someMissed`: there are
 * ends of holds, perhaps of others, that could not be handed over to payments.
 */
export const holdEndings = z.object({ events: z.array(event), someMissed: z.boolean() });

/**
 * For how long payments may rely on holds having said that nothing was missed. So an answer about an end that was not handed over comes no
 * sooner than that after it was written down.
 */
export const NOTHING_MISSED_MS = 100;

/** The answer of payments when holds asks whether requests call the bank. */
export const liveCallsAnswer = z.strictObject({ areFrequent: z.boolean() });
