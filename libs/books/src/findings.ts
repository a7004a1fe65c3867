import { setTimeout as sleep } from 'node:timers/promises';
import type { Difference, DifferenceKind } from './difference.ts';

/** The differences that were found. */
export interface Findings {
  differences: number;
  byKind: Partial<Record<DifferenceKind, number>>;
  /** The first of the differences. */
  listed: Difference[];
}

/** How many differences are listed and looked at twice. With more of them something is broken as a whole. */
export const MOST_LISTED = 1_000;
export const RECENT_MS = 5 * 60_000;
const LOOK_AGAIN = { times: 3, everyMs: 1_000 };

export const noFindings = (): Findings => ({ differences: 0, byKind: {}, listed: [] });

export function note(found: Findings, more: readonly Difference[]): void {
  for (const difference of more) {
    found.differences++;
    found.byKind[difference.what] = (found.byKind[difference.what] ?? 0) + 1;
    if (found.listed.length < MOST_LISTED) found.listed.push(difference);
  }
}

/**
 * Looks at these keys, and again at those that differ, because books are not read at one moment. A difference that remains after
 * some seconds is not on its way any more.
 */
export async function lookUntilSettled(
  found: Findings,
  keys: readonly string[],
  look: (keys: string[]) => Promise<Map<string, Difference[]>>,
): Promise<void> {
  let left = [...keys];
  for (let times = 1; left.length > 0; times++) {
    const differing = await look(left);
    left = [...differing.keys()];
    if (times === LOOK_AGAIN.times || found.differences >= MOST_LISTED) {
      for (const more of differing.values()) note(found, more);
      return;
    }
    if (left.length > 0) await sleep(LOOK_AGAIN.everyMs);
  }
}
