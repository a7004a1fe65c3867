import { accountWords } from '@cobro/dashboard/account/words.ts';
import type { Audited } from '@cobro/dashboard/settings/audited-words.ts';
import { recordAudit } from '../audit/audit.store.ts';
import type { Deps } from '../deps.ts';
import type { Visit } from '../http/visit.ts';
import type { PersonRow } from '../people/person.row.ts';
import { findPerson } from '../people/person.store.ts';
import { attemptOf, claim, forgiveAttempt, refusedClaim, type Said } from '../sign-in/attempt.ts';
import { countAttempt } from '../sign-in/count-attempt.ts';
import type { Purpose } from './challenge.ts';
import { type Assertion, readAnswer, verifyAssertion } from './passkey-answer.ts';
import { countUp, findPasskey, type Passkey, spendChallenge } from './passkey.store.ts';

interface Asked {
  purpose: Purpose;
  /** Whose passkey it has to be; anybody's at sign-in. */
  personId?: string;
  /** The action's name in the audit. */
  what: Audited;
}

/** Accepts an answer of a passkey, once. Failures count as failed sign-ins, apart from those of passwords. */
export async function provePasskey(
  deps: Deps,
  visit: Visit,
  { purpose, personId, what }: Asked,
): Promise<{ person: PersonRow; passkeyId: string } | { wrong: Said }> {
  const { problems } = accountWords[visit.language];
  const wrong = { status: 400, problem: problems.wrongPasskey };
  const response = readAnswer(visit.form.get('answer') ?? '') as Assertion | undefined;
  const passkey = response && (await findPasskey(deps.db, Buffer.from(response.id, 'base64url')));
  const person = passkey && (await findPerson(deps.db, passkey.personId));
  if (response === undefined || passkey === undefined || person === undefined) return { wrong };
  const known = attemptOf(deps, visit, { email: person.email, personId: person.id });
  const attempt = { ...known, origin: `passkey ${known.origin}` };
  const claimed = await claim(deps, attempt);
  if (claimed.kind !== 'allowed') {
    countAttempt({ by: 'passkey', outcome: claimed.kind });
    return { wrong: refusedClaim(visit.language, claimed) };
  }
  const isTheirs = personId === undefined || personId === person.id;
  if (!isTheirs || !(await holds(deps, visit, purpose, response, passkey))) {
    countAttempt({ by: 'passkey', outcome: 'wrong' });
    const { from: address, requestId } = visit;
    const who = { personId: personId ?? person.id, scope: null, address, requestId };
    await recordAudit(deps.db, { ...who, what, target: passkey.id, outcome: 'failed', code: 'WRONG_PASSKEY' });
    return { wrong };
  }
  countAttempt({ by: 'passkey', outcome: 'right' });
  await forgiveAttempt(deps, attempt, true);
  return { person, passkeyId: passkey.id };
}

async function holds(deps: Deps, visit: Visit, purpose: Purpose, response: Assertion, passkey: Passkey) {
  const answer = await verifyAssertion(deps, visit, { purpose, response, passkey });
  if (answer === undefined) return false;
  const now = new Date();
  return deps.db.inTransaction(
    async (tx) =>
      (await spendChallenge(tx, answer.challengeHash, now)) &&
      (await countUp(tx, passkey.id, answer.counter, now)) === 1,
  );
}
