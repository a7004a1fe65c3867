import { backOff } from '@cobro/async/time-limit.ts';

/**
 * How long a request whose connection was refused, so that nothing was sent, tries to get another. A Service of Kubernetes sends
 * connections to a dead pod for about a second longer.
 */
export const REFUSED_PATIENCE_MS = 2_000;

const upTo = backOff(30, 400);

/** Milliseconds before a further try, after `tries` tries. Random, so that requests that failed together do not come back together. */
export const waitAfter = (tries: number): number => upTo(tries) * (0.5 + Math.random());
