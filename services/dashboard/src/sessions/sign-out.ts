import type { Deps } from '../deps.ts';
import { cookiesOf } from '../http/cookies.ts';
import type { HalfSignedIn } from '../http/screen.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { endSession, endSessions } from './session.store.ts';

/** POST /sign-out: this browser, or with `everywhere` all of them. */
export async function signOut(deps: Deps, { session, form }: HalfSignedIn): Promise<Answer> {
  const now = new Date();
  if (form.has('everywhere')) await endSessions(deps.db, session.personId, now);
  else await endSession(deps.db, session.id, now);
  return redirect('/sign-in?out=yes', cookiesOf(deps.baseUrl).clear('session'));
}
