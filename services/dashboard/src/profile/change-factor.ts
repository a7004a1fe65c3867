import { recoveryPage, setUpPage } from '@cobro/dashboard/account/second-factor.ts';
import { accountWords } from '@cobro/dashboard/account/words.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { byMember } from '../audit/who.ts';
import type { Deps } from '../deps.ts';
import { type SignedIn, toSignIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field } from '../http/visit.ts';
import { lockPerson } from '../people/person.store.ts';
import { endOtherSessions, goesOn } from '../sessions/session.store.ts';
import { claim, factorAttemptOf, forgiveAttempt, refusedClaim } from '../sign-in/attempt.ts';
import { confirmFactor, replaceRecoveryCodes, spendStep } from '../sign-in/factor.store.ts';
import { drawn, secretOf } from '../sign-in/new-factor.ts';
import { hashOfCode, newRecoveryCodes } from '../sign-in/recovery-codes.ts';
import { stepOfCode } from '../sign-in/totp.ts';

const action = '/settings/factor';

/** GET /settings/factor: sets up another app in place of the present one, after a second factor was shown. */
export async function showNewFactor(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { secret } = await secretOf(deps, { id: visit.session.id, personId: visit.person.id });
  return show(deps, visit, (frame) => setUpPage(frame, { action, ...drawn(secret, visit.person.email) }));
}

/** POST /settings/factor: takes the new app's first code. The old recovery codes are void, and every other session ends. */
export async function changeFactor(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { person, session, language } = visit;
  const { id, secret } = await secretOf(deps, { id: session.id, personId: person.id });
  const again = (status: number, problem: string) =>
    show(deps, visit, (frame) => setUpPage(frame, { action, ...drawn(secret, person.email), status, problem }));
  const attempt = factorAttemptOf(deps, visit, { email: person.email, personId: person.id });
  const claimed = await claim(deps, attempt);
  if (claimed.kind !== 'allowed') {
    const { status, problem } = refusedClaim(language, claimed);
    return again(status, problem);
  }
  const step = stepOfCode(secret, field(visit.form, 'code'), new Date());
  const codes = newRecoveryCodes();
  const keep = (taken: number) =>
    deps.db.inTransaction(async (tx): Promise<'kept' | 'ended' | 'refused'> => {
      const now = new Date();
      await lockPerson(tx, person.id);
      // If all sessions were ended meanwhile, this one may not set up a factor.
      if (!(await goesOn(tx, session.id))) return 'ended';
      if (!(await spendStep(tx, id, taken))) return 'refused';
      await confirmFactor(tx, person.id, id, now);
      await replaceRecoveryCodes(tx, person.id, codes.map(hashOfCode));
      await endOtherSessions(tx, person.id, session.id, now);
      await recordAudit(tx, { ...byMember(visit), what: 'factor.change', outcome: 'done' });
      return 'kept';
    });
  const outcome = step === undefined ? 'refused' : await keep(step);
  if (outcome === 'ended') return toSignIn(visit);
  if (outcome === 'refused') {
    await recordAudit(deps.db, { ...byMember(visit), what: 'factor.change', outcome: 'failed', code: 'WRONG_CODE' });
    return again(400, accountWords[language].problems.wrongCode);
  }
  await forgiveAttempt(deps, attempt, true);
  return show(deps, visit, (frame) => recoveryPage(frame, codes, '/settings/profile?done=factor'));
}
