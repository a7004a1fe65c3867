import { counter } from '@cobro/metrics/instruments.ts';

/** Counts an attempt to sign in or step up, with its outcome. */
export const countAttempt = counter('cobro.signin.attempts');
