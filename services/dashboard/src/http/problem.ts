import type { Result } from '@cobro/client/refusal.ts';
import type { SignedIn } from './screen.ts';

/** Why an action was refused, or that its outcome is unknown. */
type Problem =
  | { kind: 'refused'; code: string; status: number; requestId: string }
  | { kind: 'lost'; requestId: string };

/** A refusal in the dashboard's own words, such as of a form that was used before. */
export const refusedAs = ({ requestId }: SignedIn, code: string) =>
  ({ kind: 'refused', code, status: 409, requestId }) as const;

/** The problem that a page shows. After a 500, 502 or 504 the action may have been done; after a 503 it was not. */
export function problemOf({ requestId }: SignedIn, result: Exclude<Result<unknown>, { kind: 'done' }>): Problem {
  if (result.kind === 'lost') return { kind: 'lost', requestId };
  const { code, status } = result.refusal;
  if (status >= 500 && status !== 503) return { kind: 'lost', requestId };
  return { kind: 'refused', code, status, requestId };
}
