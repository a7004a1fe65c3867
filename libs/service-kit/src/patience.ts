import { backOff } from '@cobro/async/time-limit.ts';

/** A Kubernetes Service sends connections to a pod for about a second after its death. */
const REFUSED_PATIENCE_MS = 2_000;
/** On full cores a connection may take some seconds, above all with TLS. */
const SLOW_PATIENCE_MS = 8_000;

/** How long a request tries to connect again after a connection failed and nothing was sent. */
export const patienceAfter = (error: unknown): number =>
  (error as { code?: unknown }).code === 'UND_ERR_CONNECT_TIMEOUT' ? SLOW_PATIENCE_MS : REFUSED_PATIENCE_MS;

const upTo = backOff(30, 400);

/** Milliseconds before a further try, after `tries` tries. Random, so that requests that failed together do not come back together. */
export const waitAfter = (tries: number): number => upTo(tries) * (0.5 + Math.random());
