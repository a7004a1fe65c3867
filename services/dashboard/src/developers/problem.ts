import type { Result } from '@cobro/client/refusal.ts';
import type { DeveloperProblem } from '@cobro/dashboard/developers/developer-parts.ts';
import type { SignedIn } from '../http/screen.ts';

/** Why what was asked was not done, as pages say it. */
export function problemOf(
  { requestId }: SignedIn,
  result: Exclude<Result<unknown>, { kind: 'done' }>,
): DeveloperProblem {
  if (result.kind === 'lost') return { kind: 'lost', requestId };
  const { code, status } = result.refusal;
  return { kind: 'refused', code, status, requestId };
}
