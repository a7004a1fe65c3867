import { recoveryPage, setUpPage } from '@cobro/dashboard/account/second-factor.ts';
import { accountWords } from '@cobro/dashboard/account/words.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import { seal, unseal } from '@cobro/service-kit/seal.ts';
import { renderSVG } from 'uqr';
import type { Deps } from '../deps.ts';
import type { HalfSignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field } from '../http/visit.ts';
import type { LiveSession } from '../sessions/session.store.ts';
import { claim, factorAttemptOf, forgiveAttempt, refusedClaim } from './attempt.ts';
import {
  confirmFactor,
  findNewFactor,
  insertFactor,
  listFactors,
  replaceRecoveryCodes,
  spendStep,
} from './factor.store.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { hashOfCode, newRecoveryCodes } from './recovery-codes.ts';
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts';

/** GET /second-factor: for whoever comes by a link and has none. */
export async function showSetUp(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  await requireLink(deps, visit.session);
  const { secret } = await newFactorOf(deps, visit.session);
  return show(deps, visit, (frame) => setUpPage(frame, drawn(secret, visit.session.email)));
}

/** POST /second-factor: the first code of the new factor, which is then the only one. */
export async function setUpFactor(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  const { session, language } = visit;
  await requireLink(deps, session);
  const { id, secret } = await newFactorOf(deps, session);
  const again = (status: number, problem: string) =>
    show(deps, visit, (frame) => setUpPage(frame, { ...drawn(secret, session.email), status, problem }));
  const attempt = factorAttemptOf(deps, visit, { email: session.email, personId: session.personId });
  const claimed = await claim(deps, attempt);
  if (claimed.kind !== 'allowed') {
    const { status, problem } = refusedClaim(language, claimed);
    return again(status, problem);
  }
  const step = stepOfCode(secret, field(visit.form, 'code'), new Date());
  if (step === undefined || !(await spendStep(deps.db, id, step))) {
    return again(400, accountWords[language].problems.wrongCode);
  }
  await forgiveAttempt(deps, attempt, true);
  const codes = newRecoveryCodes();
  await deps.db.inTransaction(async (tx) => {
    await confirmFactor(tx, session.personId, id, new Date());
    await replaceRecoveryCodes(tx, session.personId, codes.map(hashOfCode));
  });
  const cookies = await finishSignIn(deps, visit);
  return show(deps, visit, (frame) => recoveryPage(frame, codes, '/'), ...cookies);
}

/**
 * A password alone sets up nothing, nor does a link where there is a factor: whoever guessed the password, and invited its owner to an
 * organization of their own, would have the account.
 */
async function requireLink({ db }: Deps, { stage, invitationId, personId }: LiveSession): Promise<void> {
  const isFirst = stage === 'password' && invitationId !== null && (await listFactors(db, personId)).length === 0;
  if (!isFirst) throw new Refusal('NOT_FOUND');
}

/** The one that is being set up, so that a page that is loaded again shows the same. */
async function newFactorOf(
  { db, secretKeys }: Deps,
  { personId }: LiveSession,
): Promise<{ id: string; secret: Secret<string> }> {
  const begun = await findNewFactor(db, personId);
  if (begun !== undefined) return { id: begun.id, secret: unseal(secretKeys, begun.id, begun.sealedSecret) };
  const [id, secret, createdAt] = [newId(), newTotpSecret(), new Date()];
  await insertFactor(db, { id, personId, sealedSecret: seal(secretKeys, id, secret), createdAt });
  return { id, secret };
}

const drawn = (secret: Secret<string>, email: string) => ({
  secret: secret.reveal().replaceAll(/(.{4})(?=.)/g, '$1 '),
  qr: renderSVG(totpUri(secret, email), { border: 2 }),
});
