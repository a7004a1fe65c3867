import { z } from 'zod';

/** Months in which a payment link may let its payers pay, and that a promotion may be for; 1 is a single payment. */
export const offeredTerms = [1, 3, 6, 9, 12, 18] as const;

export const terms = z.literal(offeredTerms, { error: `must be one of ${offeredTerms.join(', ')}` });
