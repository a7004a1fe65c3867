import { counter } from '@cobro/metrics/instruments.ts';

/** One attempt to show who one is, and what came of it. */
export const countAttempt = counter('cobro.signin.attempts');
