import { Secret } from '@cobro/contracts/secret.ts';
import { seal, unseal } from '@cobro/service-kit/seal.ts';
import type { Deps } from '../deps.ts';
import type { Visit } from '../http/visit.ts';

/** What a passkey is asked for. A challenge is valid for one purpose. */
export type Purpose = 'register' | 'sign-in' | 'second-factor' | 'step-up';

const LIVES_MS = 5 * 60_000;

/** Binds a challenge to its purpose and this browser's cookie, so that an answer is worth nothing elsewhere. */
const contextOf = (purpose: Purpose, { formToken }: Visit) => `passkey ${purpose} ${formToken}`;

/** The seal has a random nonce and identifies our challenge, so that pages open to anybody store nothing. */
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
