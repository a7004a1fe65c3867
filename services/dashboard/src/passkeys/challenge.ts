import { Secret } from '@cobro/contracts/secret.ts';
import { seal, unseal } from '@cobro/service-kit/seal.ts';
import type { Deps } from '../deps.ts';
import type { Visit } from '../http/visit.ts';

/** What a passkey is asked for. A challenge for one is none for another. */
export type Purpose = 'register' | 'sign-in' | 'second-factor' | 'step-up';

const LIVES_MS = 5 * 60_000;

/** Bound to what it is for and to the cookie of this browser, so that an answer is worth nothing elsewhere. */
const contextOf = (purpose: Purpose, { formToken }: Visit) => `passkey ${purpose} ${formToken}`;

/** Random by its nonce, and known again by its seal: pages that anybody may open keep nothing. */
export const newChallenge = ({ secretKeys }: Deps, visit: Visit, purpose: Purpose): string =>
  seal(secretKeys, contextOf(purpose, visit), new Secret(String(Date.now()))).toString('base64url');

/** Whether it is one of ours of the last five minutes, for this purpose and browser. */
export function isOwnChallenge({ secretKeys }: Deps, visit: Visit, purpose: Purpose, challenge: string): boolean {
  try {
    const madeAt = unseal(secretKeys, contextOf(purpose, visit), Buffer.from(challenge, 'base64url')).reveal();
    return Date.now() - Number(madeAt) < LIVES_MS;
  } catch {
    return false;
  }
}
