import { recordAudit } from '../audit/audit.store.ts';
import { bySession } from '../audit/who.ts';
import type { Deps } from '../deps.ts';
import { cookiesOf } from '../http/cookies.ts';
import type { HalfSignedIn } from '../http/screen.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { lockPerson } from '../people/person.store.ts';
import { endSession, endSessions } from './session.store.ts';

/** POST /sign-out: this browser, or with `everywhere` all of them. */
export async function signOut(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  const { session, form } = visit;
  await deps.db.inTransaction(async (tx) => {
    const now = new Date();
    const isEverywhere = form.has('everywhere');
    await lockPerson(tx, session.personId);
    // A session of an issuer ends only sessions of this issuer.
    if (isEverywhere) await endSessions(tx, session.personId, now, session.signOnId);
    else await endSession(tx, session.id, now);
    const what = isEverywhere ? 'sign-out.everywhere' : 'sign-out';
    await recordAudit(tx, { ...bySession(visit), what, outcome: 'done' });
  });
  return redirect('/sign-in?out=yes', cookiesOf(deps.baseUrl).clear('session'));
}
