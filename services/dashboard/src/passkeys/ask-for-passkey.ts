import type { PasskeyAsked } from '@cobro/dashboard/account/passkey.ts';
import type { Deps } from '../deps.ts';
import type { Visit } from '../http/visit.ts';
import { newChallenge, type Purpose } from './challenge.ts';
import { listPasskeys } from './passkey.store.ts';

/** What the page's script asks a device for. It names nobody, so that the page does not show whether an e-mail has passkeys. */
export function askFor(deps: Deps, visit: Visit, purpose: Purpose): PasskeyAsked {
  return {
    challenge: newChallenge(deps, visit, purpose),
    rpId: new URL(deps.baseUrl).hostname,
    userVerification: 'required',
    timeout: 300_000,
  };
}

/** The same for a known person; undefined if the person has no passkey. */
export async function askPerson(
  deps: Deps,
  visit: Visit,
  purpose: Purpose,
  personId: string,
): Promise<PasskeyAsked | undefined> {
  return (await listPasskeys(deps.db, personId)).length === 0 ? undefined : askFor(deps, visit, purpose);
}
