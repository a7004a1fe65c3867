import { unseal } from '@cobro/service-kit/seal.ts';
import type { Deps } from '../deps.ts';
import type { Visit } from '../http/visit.ts';
import { claim, factorAttemptOf, forgiveAttempt, refusedClaim, type Said } from './attempt.ts';
import { accountWords } from '@cobro/dashboard/account/words.ts';
import { listFactors, spendRecoveryCode, spendStep } from './factor.store.ts';
import { hashOfCode } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

interface Prover {
  personId: string;
  email: string;
}

/** Undefined where the code is good, which it is once. Otherwise why not. A failure counts as one of signing in. */
export async function proveFactor(
  deps: Deps,
  visit: Visit,
  { personId, email }: Prover,
  code: string,
): Promise<Said | undefined> {
  const attempt = factorAttemptOf(deps, visit, { personId, email });
  const claimed = await claim(deps, attempt);
  if (claimed.kind !== 'allowed') return refusedClaim(visit.language, claimed);
  if (!(await isGood(deps, personId, code))) {
    return { status: 400, problem: accountWords[visit.language].problems.wrongCode };
  }
  await forgiveAttempt(deps, attempt, true);
  return undefined;
}

async function isGood({ db, secretKeys }: Deps, personId: string, code: string): Promise<boolean> {
  const now = new Date();
  for (const { id, sealedSecret } of await listFactors(db, personId)) {
    const step = stepOfCode(unseal(secretKeys, id, sealedSecret), code, now);
    if (step !== undefined) return spendStep(db, id, step);
  }
  return spendRecoveryCode(db, personId, hashOfCode(code), now);
}
