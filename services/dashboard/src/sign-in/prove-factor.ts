import { accountWords } from '@cobro/dashboard/account/words.ts';
import { unseal } from '@cobro/service-kit/seal.ts';
import type { Audited } from '@cobro/dashboard/settings/audited-words.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { bySession } from '../audit/who.ts';
import type { Deps } from '../deps.ts';
import type { HalfSignedIn } from '../http/screen.ts';
import { claim, factorAttemptOf, forgiveAttempt, refusedClaim, type Said } from './attempt.ts';
import { countAttempt } from './count-attempt.ts';
import { listFactors, spendRecoveryCode, spendStep } from './factor.store.ts';
import type { Proof } from './finish-sign-in.ts';
import { hashOfCode } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

interface Asked {
  /** The action's name in the audit. */
  what: Audited;
  takesRecoveryCodes: boolean;
}

type Proved = { proof: Proof } | { wrong: Said };

/** Accepts a code, once. A failure counts as a failed sign-in. */
export async function proveFactor(
  deps: Deps,
  visit: HalfSignedIn,
  code: string,
  { what, takesRecoveryCodes }: Asked,
): Promise<Proved> {
  const { session, language } = visit;
  const attempt = factorAttemptOf(deps, visit, session);
  const claimed = await claim(deps, attempt);
  if (claimed.kind !== 'allowed') {
    countAttempt({ by: 'code', outcome: claimed.kind });
    return { wrong: refusedClaim(language, claimed) };
  }
  const proof = await proofOf(deps, session.personId, code, takesRecoveryCodes);
  countAttempt({ by: 'code', outcome: proof === undefined ? 'wrong' : 'right' });
  if (proof === undefined) {
    await recordAudit(deps.db, { ...bySession(visit), what, outcome: 'failed', code: 'WRONG_CODE' });
    return { wrong: { status: 400, problem: accountWords[language].problems.wrongCode } };
  }
  await forgiveAttempt(deps, attempt, true);
  return { proof };
}

async function proofOf(
  { db, secretKeys }: Deps,
  personId: string,
  code: string,
  takesRecoveryCodes: boolean,
): Promise<Proof | undefined> {
  const now = new Date();
  for (const { id, sealedSecret } of await listFactors(db, personId)) {
    const step = stepOfCode(unseal(secretKeys, id, sealedSecret), code, now);
    if (step !== undefined) return (await spendStep(db, id, step)) ? 'totp' : undefined;
  }
  if (!takesRecoveryCodes) return undefined;
  return (await spendRecoveryCode(db, personId, hashOfCode(code), now)) ? 'recovery-code' : undefined;
}
