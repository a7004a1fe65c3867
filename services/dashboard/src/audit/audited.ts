import type { Result } from '@cobro/client/refusal.ts';
import type { FeeChange } from '@cobro/contracts/fee-channels.ts';
import type { Audited } from '@cobro/dashboard/settings/audited-words.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { recordAudit } from './audit.store.ts';

interface Action<T> {
  /** What is done, such as `payment.refund`. */
  what: Audited;
  target: string | null;
  /** The id of what was made, which is the target of the answered row. */
  made?: (value: T) => string;
  /** Rows of a fee table as they should become, and as they have changed. */
  fees?: { asked: readonly FeeChange[]; changed: (value: T) => readonly FeeChange[] };
  /** Sends it, once. */
  send: () => Promise<Result<T>>;
}

/**
 * Sends an action of a person to the API between two rows of the audit. The asked row is committed first, so that every action names its
 * person. The answered row is missing if the process dies in between, or the database cannot be reached then.
 */
export async function audited<T>(
  { db, log }: Deps,
  { person, scope, from: address, requestId }: SignedIn,
  { what, target, made, fees, send }: Action<T>,
): Promise<Result<T>> {
  const entry = { personId: person.id, scope, what, target, address, requestId };
  const askedId = await recordAudit(db, { ...entry, outcome: 'asked', ...(fees && { fees: fees.asked }) });
  const result = await send();
  const done =
    result.kind === 'done'
      ? { target: made?.(result.value) ?? target, ...(fees && { fees: fees.changed(result.value) }) }
      : {};
  // The result is shown all the same: a person who is shown a failure repeats the action.
  await recordAudit(db, { ...entry, ...done, outcome: 'answered', askedId, ...answerOf(result) }).catch(
    (error: unknown) => log.error({ error, requestId }, 'an answer is not in the audit'),
  );
  return result;
}

function answerOf(result: Result<unknown>): { status?: number; code?: string } {
  if (result.kind === 'done') return { status: result.status };
  if (result.kind === 'refused') return { status: result.refusal.status, code: result.refusal.code };
  return { code: 'NO_ANSWER' };
}
