import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { type Answer, redirect } from '../http/visit.ts';

/** GET /: the first page that this person may see. */
export async function goHome(_deps: Deps, { role, scope }: SignedIn): Promise<Answer> {
  if (scope.kind === 'organization') return redirect('/payments');
  return redirect(role === 'owner' || role === 'admin' ? '/settings/people' : '/settings');
}
