import type { ServerResponse } from 'node:http';
import { oldestOfGreatest } from '@cobro/service-kit/oldest-of-greatest.ts';

/**
 * Keeps answers whose callers read more slowly than the service wrote, so that no slow reader holds a connection to a service.
 */
export interface Backlog {
  /**
   * Takes an answer whose caller does not keep up. While the total is too large, the caller with the most bytes loses its oldest
   * answer.
   */
  add(answer: ServerResponse, caller: string): void;
}

/** Enough for some hundred of the longest answers. */
export const MOST_BYTES = 64 * 1024 * 1024;

export function createBacklog(mostBytes: number): Backlog {
  /** Callers by answer, the oldest answer first. */
  const lying = new Map<ServerResponse, string>();
  const bytes = () => {
    let sum = 0;
    for (const answer of lying.keys()) sum += answer.writableLength;
    return sum;
  };
  return {
    add: (answer, caller) => {
      if (!lying.has(answer)) {
        lying.set(answer, caller);
        answer.once('close', () => lying.delete(answer));
      }
      while (bytes() > mostBytes) {
        const [victim] = oldestOfGreatest(lying, ([unread, of]) => [of, unread.writableLength]);
        lying.delete(victim);
        victim.destroy();
      }
    },
  };
}
