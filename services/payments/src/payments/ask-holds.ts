import type { z } from 'zod';
import type { Deps } from '../deps.ts';

/** A page that shows this waits two seconds for all of it. */
const WITHIN_MS = 1_000;

/** What holds knows; undefined where it does not answer in time. For answers that say whether they are complete. */
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
