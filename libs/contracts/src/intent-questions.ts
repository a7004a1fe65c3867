import { z } from 'zod';
import { acquirerName } from './acquirer-name.ts';
import type { Envelope } from './events.ts';
import { paymentSummary } from './payments.ts';

/** What payments knows of an intent: the latest payment made for it. */
export const intentPaymentAnswer = z.strictObject({ payment: paymentSummary.nullable() });

/**
 * The answer of payments when intents asks what became of a tapped card. `ended` has the event of the outcome. `unknown`:
 * payments has no such payment, so nothing was charged; it charges, or declines once the time is over, when it gets IntentPaymentRequested.
 */
export const tappedPaymentAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ended'), event: z.unknown().transform((json) => json as Envelope) }),
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('unknown') }),
]);
export type TappedPaymentAnswer = z.output<typeof tappedPaymentAnswer>;

/** Whose vault gets the organization's next card. */
export const acquirerAnswer = z.strictObject({ acquirer: acquirerName });

/** Whether intents has the intent for the organization that asks. */
export const intentAnswer = z.strictObject({ known: z.boolean() });

/** The answer of intents when payments asks for somebody: the events that say how the person and the branch are now. */
export const salespersonAnswer = z.strictObject({
  events: z.array(z.unknown().transform((json) => json as Envelope)),
});
