import type { Result } from '@cobro/client/refusal.ts';
import type { SignedIn } from './screen.ts';

/** Why what was asked was not done, or that nobody knows whether it was. */
type Problem =
  | { kind: 'refused'; code: string; status: number; requestId: string }
  | { kind: 'lost'; requestId: string };

/** As pages say it. After a 500, 502 or 504 it may have been done all the same; after a 503 it was not. */
export function problemOf({ requestId }: SignedIn, result: Exclude<Result<unknown>, { kind: 'done' }>): Problem {
  if (result.kind === 'lost') return { kind: 'lost', requestId };
  const { code, status } = result.refusal;
  if (status >= 500 && status !== 503) return { kind: 'lost', requestId };
  return { kind: 'refused', code, status, requestId };
}
