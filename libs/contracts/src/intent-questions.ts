import { z } from 'zod';
import { acquirerName } from './acquirer-name.ts';
import type { Envelope } from './events.ts';
import { paymentSummary } from './payments.ts';

/** The answer of payments about an intent: the latest payment made for it. */
export const intentPaymentAnswer = z.strictObject({ payment: paymentSummary.nullable() });

/**
 * The answer of payments when intents asks what became of a tapped card. `ended` has the event of the outcome. `unknown` is no
 * outcome: payments has no such payment and charged nothing; once it gets IntentPaymentRequested, it charges, or declines if too
 * late.
 */
export const tappedPaymentAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ended'), event: z.unknown().transform((json) => json as Envelope) }),
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('unknown') }),
]);
export type TappedPaymentAnswer = z.output<typeof tappedPaymentAnswer>;

/** The acquirer whose vault gets the organization's next card. */
export const acquirerAnswer = z.strictObject({ acquirer: acquirerName });

/** Whether intents has this intent of this organization. */
export const intentAnswer = z.strictObject({ known: z.boolean() });

/** The answer of intents when payments asks for a salesperson: events with the current records of person and branch. */
export const salespersonAnswer = z.strictObject({
  events: z.array(z.unknown().transform((json) => json as Envelope)),
});
