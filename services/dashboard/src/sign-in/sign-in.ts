import { accountWords } from '@cobro/dashboard/account/words.ts';
import { signInPage } from '@cobro/dashboard/account/sign-in.ts';
import { recordAudit } from '../audit/audit.store.ts';
import type { Deps } from '../deps.ts';
import { show } from '../http/show.ts';
import { type Answer, field, innerAddress, redirect, type Visit } from '../http/visit.ts';
import { findPersonByEmail } from '../people/person.store.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { attemptOf, claim, forgiveAttempt, refusedClaim, type Said } from './attempt.ts';
import { listFactors } from './factor.store.ts';
import { isPassword } from './password.ts';

/** GET /sign-in */
export async function showSignIn(deps: Deps, visit: Visit): Promise<Answer> {
  const { problems } = accountWords[visit.language];
  const said = { ended: problems.ended, changed: problems.changed, out: problems.signedOut };
  const [problem] = Object.entries(said).flatMap(([name, sentence]) => (visit.query.has(name) ? [sentence] : []));
  const next = innerAddress(visit.query.get('next'));
  return show(deps, visit, (frame) => signInPage(frame, { email: '', next, problem }));
}

/** POST /sign-in: the password. The second factor follows. */
export async function signIn(deps: Deps, visit: Visit): Promise<Answer> {
  const email = field(visit.form, 'email').toLowerCase();
  const next = innerAddress(visit.form.get('next'));
  const again = ({ status, problem }: Said) =>
    show(deps, visit, (frame) => signInPage(frame, { email, next, problem, status }));
  const { problems } = accountWords[visit.language];
  const person = await findPersonByEmail(deps.db, email);
  const attempt = attemptOf(deps, visit, { email, personId: person?.id });
  const claimed = await claim(deps, attempt);
  if (claimed.kind !== 'allowed') return again(refusedClaim(visit.language, claimed));
  if (!(await isPassword(visit.form.get('password') ?? '', person?.passwordHash)) || person === undefined) {
    await recordAudit(deps.db, { ...failed(visit), personId: person?.id ?? null });
    return again({ status: 400, problem: problems.wrongPassword });
  }
  await forgiveAttempt(deps, attempt, false);
  if ((await listFactors(deps.db, person.id)).length === 0) return again({ status: 400, problem: problems.noFactor });
  const half = {
    personId: person.id,
    stage: 'password',
    membershipId: null,
    invitationId: null,
    provedAt: null,
  } as const;
  const cookie = await beginSession(deps.db, deps, visit, half, new Date());
  return redirect(`/sign-in/factor?next=${encodeURIComponent(next)}`, cookie);
}

const failed = ({ from, requestId }: Visit) =>
  ({ scope: null, what: 'sign-in', outcome: 'failed', address: from, requestId }) as const;
