import { recoveryPage, setUpPage } from '@cobro/dashboard/account/second-factor.ts';
import { accountWords } from '@cobro/dashboard/account/words.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from '../deps.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { bySession } from '../audit/who.ts';
import { type HalfSignedIn, toSignIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field } from '../http/visit.ts';
import { lockPerson } from '../people/person.store.ts';
import type { LiveSession } from '../sessions/session.store.ts';
import { claim, factorAttemptOf, forgiveAttempt, refusedClaim } from './attempt.ts';
import { confirmFactor, listFactors, replaceRecoveryCodes, spendStep } from './factor.store.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { drawn, secretOf } from './new-factor.ts';
import { hashOfCode, newRecoveryCodes } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

const action = '/second-factor';

/** GET /second-factor: for a person who came by a link and has none. */
export async function showSetUp(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  await requireLink(deps, visit.session);
  const { secret } = await secretOf(deps, visit.session);
  return show(deps, visit, (frame) => setUpPage(frame, { action, ...drawn(secret, visit.session.email) }));
}

/** POST /second-factor: takes the first code of the new factor, which is then the only one. */
export async function setUpFactor(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  const { session, language } = visit;
  await requireLink(deps, session);
  const { id, secret } = await secretOf(deps, session);
  const again = (status: number, problem: string) =>
    show(deps, visit, (frame) => setUpPage(frame, { action, ...drawn(secret, session.email), status, problem }));
  const attempt = factorAttemptOf(deps, visit, { email: session.email, personId: session.personId });
  const claimed = await claim(deps, attempt);
  if (claimed.kind !== 'allowed') {
    const { status, problem } = refusedClaim(language, claimed);
    return again(status, problem);
  }
  const step = stepOfCode(secret, field(visit.form, 'code'), new Date());
  const codes = step === undefined ? undefined : await keepFactor(deps, visit, id, step);
  if (codes === undefined) {
    await recordAudit(deps.db, { ...bySession(visit), what: 'factor.set-up', outcome: 'failed', code: 'WRONG_CODE' });
    return again(400, accountWords[language].problems.wrongCode);
  }
  await forgiveAttempt(deps, attempt, true);
  const cookies = await finishSignIn(deps, visit, session, 'totp');
  if (cookies === undefined) return toSignIn(visit);
  return show(deps, visit, (frame) => recoveryPage(frame, codes, '/'), ...cookies);
}

/** The recovery codes; undefined if the code was used, or another browser has set up a factor meanwhile. */
async function keepFactor({ db }: Deps, visit: HalfSignedIn, id: string, step: number): Promise<string[] | undefined> {
  const { personId } = visit.session;
  const codes = newRecoveryCodes();
  return db.inTransaction(async (tx) => {
    await lockPerson(tx, personId);
    if ((await listFactors(tx, personId)).length > 0 || !(await spendStep(tx, id, step))) return undefined;
    await confirmFactor(tx, personId, id, new Date());
    await replaceRecoveryCodes(tx, personId, codes.map(hashOfCode));
    await recordAudit(tx, { ...bySession(visit), what: 'factor.set-up', outcome: 'done' });
    return codes;
  });
}

/**
 * Here a factor is set up only by a link, and only if there is none. Otherwise an attacker who guessed the password, and invited its owner
 * to an organization of their own, would have the account.
 */
async function requireLink({ db }: Deps, { stage, invitationId, personId }: LiveSession): Promise<void> {
  const isFirst = stage === 'password' && invitationId !== null && (await listFactors(db, personId)).length === 0;
  if (!isFirst) throw new Refusal('NOT_FOUND');
}
