import type { z } from 'zod';
import type { Deps } from '../deps.ts';

/** The page that shows this waits two seconds in all. */
const WITHIN_MS = 1_000;

/** Asks holds; returns undefined if it does not answer in time. For answers of ours that have `complete`. */
export async function askHolds<S extends z.ZodType>(
  { holds, log }: Pick<Deps, 'holds' | 'log'>,
  path: string,
  answer: S,
  deadline: number,
): Promise<z.output<S> | undefined> {
  try {
    return answer.parse(await holds.get(path, deadline, WITHIN_MS));
  } catch (error) {
    log.warn({ error, event: 'holds_not_asked' }, 'shown without what holds has asked of the bank');
    return undefined;
  }
}
