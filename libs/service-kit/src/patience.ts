import { backOff } from '@cobro/async/time-limit.ts';

/**
 * How long a request whose connection was refused tries to get another. Nothing of it was sent, so nothing happens twice. Where a
 * service has several processes behind one address, as a Service of Kubernetes has them, connections go to one that has died for
 * about a second longer.
 */
export const REFUSED_PATIENCE_MS = 2_000;

const upTo = backOff(30, 400);

/** Milliseconds before a further try, after `tries` tries. Random, so that requests that failed together do not come back together. */
export const waitAfter = (tries: number): number => upTo(tries) * (0.5 + Math.random());
