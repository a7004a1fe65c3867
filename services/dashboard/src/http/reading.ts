import type { Call } from '@cobro/client/call.ts';
import type { Result } from '@cobro/client/refusal.ts';
import { uuid } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Visit } from './visit.ts';

/** A page waits for its parts no longer than this. */
export const READING = { withinMs: 2_000, attempts: 1 } as const;

/** A call of the client, or one that only people may make. */
type Reading<T> = Pick<Call<T>, 'result'> | Promise<Result<T>>;
const resultOf = <T>(reading: Reading<T>) => ('result' in reading ? reading.result() : reading);

/** Reads a part of a page; null if it did not come in time, or was refused. */
export async function inTime<T>(reading: Reading<T>): Promise<T | null> {
  const result = await resultOf(reading);
  return result.kind === 'done' ? result.value : null;
}

/** The id in the path. @throws Refusal 404 if it is no UUID */
export function idIn({ params }: Pick<Visit, 'params'>, name = 'id'): string {
  const { success, data } = uuid.safeParse(params[name]);
  if (!success) throw new Refusal('NOT_FOUND');
  return data;
}

/**
 * Reads what a page is about.
 * @throws Refusal 404 if the API refuses it, because it is another's; 503 if it cannot be read now
 */
export async function orNotFound<T>(reading: Reading<T>): Promise<T> {
  const result = await resultOf(reading);
  if (result.kind === 'done') return result.value;
  const isPassing = result.kind === 'lost' || result.refusal.status >= 500 || result.refusal.status === 429;
  throw new Refusal(isPassing ? 'SERVICE_UNAVAILABLE' : 'NOT_FOUND');
}
