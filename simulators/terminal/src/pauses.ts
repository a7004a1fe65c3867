import type { Result } from '@cobro/client/refusal.ts';

export interface PauseOptions {
  firstMs: number;
  longestMs: number;
  /** A number from 0 up to 1, as from `Math.random`. */
  random?: () => number;
}

export interface Pauses {
  /** Milliseconds to wait before the next try. `atLeastMs` is what a Retry-After asked for. */
  next(atLeastMs?: number): number;
  /** The next pause is a first one again. */
  reset(): void;
}

/**
 * Pauses between tries. Each takes from half to all of a span that doubles up to the longest, so that terminals that lost the
 * same gateway at the same moment do not all come back at the same moment.
 */
export function growingPauses({ firstMs, longestMs, random = Math.random }: PauseOptions): Pauses {
  let spanMs = firstMs;
  return {
    next(atLeastMs = 0) {
      const pauseMs = spanMs * (0.5 + random() / 2);
      spanMs = Math.min(spanMs * 2, longestMs);
      return Math.max(pauseMs, atLeastMs);
    },
    reset() {
      spanMs = firstMs;
    },
  };
}

/** The pause that the service asked for; 0 if it asked for none, or gave no answer. */
export const retryAfterOf = (result: Result<unknown>): number =>
  result.kind === 'refused' ? (result.refusal.retryAfterMs ?? 0) : 0;
