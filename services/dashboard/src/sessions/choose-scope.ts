import { scopePage } from '@cobro/dashboard/account/scope.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { bySession } from '../audit/who.ts';
import type { Deps } from '../deps.ts';
import { type HalfSignedIn, toSignIn } from '../http/screen.ts';
import { nameOfScope, show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { listMemberships, lockMemberships } from '../people/membership.store.ts';
import { lockPerson } from '../people/person.store.ts';
import { beginSession } from './begin-session.ts';
import { endSession } from './session.store.ts';

/** GET /scope */
export async function showScopes(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  if (visit.session.stage !== 'full') return redirect('/sign-in/factor');
  const all = await listMemberships(deps.db, visit.session.personId);
  const isOneScope = visit.session.signOnId !== null;
  const open = all.filter(({ id }) => !isOneScope || id === visit.session.membershipId);
  const memberships = open.map(({ id, kind, organizationName, role }) => ({
    id,
    scopeName: nameOfScope(visit.language, kind, organizationName),
    role,
    isHere: id === visit.session.membershipId,
  }));
  return show(deps, visit, (frame) => scopePage(frame, { memberships }));
}

/** POST /scope: begins a new session, so that a page left open in the other scope does nothing here. */
export async function chooseScope(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  const { session } = visit;
  if (session.stage !== 'full') return redirect('/sign-in/factor');
  const wanted = visit.form.get('membership');
  const cookie = await deps.db.inTransaction(async (tx) => {
    const now = new Date();
    const { personId, provedAt, beganAt } = session;
    await lockPerson(tx, personId);
    const chosen = (await lockMemberships(tx, personId)).find(({ id }) => id === wanted);
    // An issuer vouches for one scope.
    if (chosen === undefined || (session.signOnId !== null && chosen.id !== session.membershipId))
      throw new Refusal('NOT_FOUND');
    // If all sessions were ended meanwhile, this one may not begin another.
    if ((await endSession(tx, session.id, now)) === 0) return undefined;
    const full = {
      personId,
      stage: 'full',
      membershipId: chosen.id,
      invitationId: null,
      provedAt,
      beganAt,
      signOnId: session.signOnId,
    } as const;
    const scope = { kind: chosen.kind, id: chosen.scopeId };
    await recordAudit(tx, { ...bySession(visit), scope, what: 'scope.enter', outcome: 'done' });
    return beginSession(tx, deps, visit, full, now);
  });
  return cookie === undefined ? toSignIn(visit) : redirect('/', cookie);
}
