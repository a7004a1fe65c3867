import { createHash } from 'node:crypto';
import { accountWords, type AccountWords } from '@cobro/dashboard/account/words.ts';
import type { Deps } from '../deps.ts';
import type { Visit } from '../http/visit.ts';
import { deviceOf } from '../sessions/begin-session.ts';
import { type Attempt, type Claim, claimAttempt, forgive, ofNetwork } from './lock.store.ts';

interface Whose {
  email: string;
  /** Undefined if nobody has this e-mail. */
  personId: string | undefined;
}

/** Whose failures an attempt would add to. */
export function attemptOf(deps: Deps, visit: Visit, { email, personId }: Whose): Attempt {
  const device = deviceOf(deps, visit.deviceCookie, personId);
  return {
    account: createHash('sha256').update(email).digest(),
    origin: device === undefined ? ofNetwork(visit.network) : `device ${device}`,
    isKnownBrowser: device !== undefined,
    network: visit.network,
  };
}

/**
 * The same for a second factor, which is asked for only after the password. All unknown browsers share one count: otherwise an attacker
 * with the password and many addresses could try all codes.
 */
export function factorAttemptOf(deps: Deps, visit: Visit, whose: Whose): Attempt {
  const attempt = attemptOf(deps, visit, whose);
  return attempt.isKnownBrowser ? attempt : { ...attempt, origin: 'second factor' };
}

export const claim = ({ db }: Deps, attempt: Attempt): Promise<Claim> =>
  db.inTransaction((tx) => claimAttempt(tx, attempt));

export const forgiveAttempt = ({ db }: Deps, attempt: Attempt, wholly: boolean): Promise<void> =>
  db.inTransaction((tx) => forgive(tx, attempt, wholly));

export interface Said {
  status: number;
  problem: string;
}

/** Why the attempt was refused, in words. */
export function refusedClaim(language: keyof typeof accountWords, refused: Exclude<Claim, { kind: 'allowed' }>): Said {
  const { problems }: AccountWords = accountWords[language];
  return {
    status: 429,
    problem: refused.kind === 'network' ? problems.network : problems.locked(Math.ceil(refused.untilSeconds / 60)),
  };
}
