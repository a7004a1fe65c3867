import { z } from 'zod';
import { paymentSummary } from './payment-intents.ts';

/** What payments knows of an intent: the latest payment made for it. */
export const intentPaymentAnswer = z.strictObject({ payment: paymentSummary.nullable() });

/** Whether intents has the intent for the organization that asks. */
export const intentAnswer = z.strictObject({ known: z.boolean() });
