import { z } from 'zod';

/** Numbers of monthly installments that a payment link may offer and a promotion may apply to; 1 is a single payment. */
export const offeredTerms = [1, 3, 6, 9, 12, 18] as const;

export const terms = z.literal(offeredTerms, { error: `must be one of ${offeredTerms.join(', ')}` });
