import { accountWords } from '@cobro/dashboard/account/words.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { recordAudit } from '../audit/audit.store.ts';
import type { Deps } from '../deps.ts';
import type { Visit } from '../http/visit.ts';
import type { PersonRow } from '../people/person.row.ts';
import { findPersonByEmail } from '../people/person.store.ts';
import { attemptOf, claim, forgiveAttempt, refusedClaim, type Said } from './attempt.ts';
import { countAttempt } from './count-attempt.ts';
import { isPassword } from './password.ts';

/** The person whose password it is. A wrong one counts as a failure; one that was not checked, for lack of room, does not. */
export async function tryPassword(
  deps: Deps,
  visit: Visit,
  { email, password }: { email: string; password: string },
): Promise<{ person: PersonRow } | { wrong: Said }> {
  const { language, from: address, requestId } = visit;
  const person = await findPersonByEmail(deps.db, email);
  const attempt = attemptOf(deps, visit, { email, personId: person?.id });
  const claimed = await claim(deps, attempt);
  const count = (outcome: Parameters<typeof countAttempt>[0]['outcome']) => countAttempt({ by: 'password', outcome });
  if (claimed.kind !== 'allowed') count(claimed.kind);
  if (claimed.kind !== 'allowed') return { wrong: refusedClaim(language, claimed) };
  let isRight: boolean;
  try {
    isRight = await isPassword(email, password, person?.passwordHash);
  } catch (error) {
    await forgiveAttempt(deps, attempt, false);
    if (!(error instanceof Refusal)) throw error;
    count('busy');
    return { wrong: { status: error.status, problem: accountWords[language].problems.busy } };
  }
  if (!isRight || person === undefined) {
    count('wrong');
    const who = { personId: person?.id ?? null, scope: null, address, requestId };
    await recordAudit(deps.db, { ...who, what: 'sign-in.password', outcome: 'failed', code: 'WRONG_PASSWORD' });
    return { wrong: { status: 400, problem: accountWords[language].problems.wrongPassword } };
  }
  count('right');
  await forgiveAttempt(deps, attempt, false);
  return { person };
}
