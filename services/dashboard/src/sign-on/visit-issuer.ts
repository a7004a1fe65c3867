import { Refusal } from '@cobro/contracts/refusals.ts';
import { uuid } from '@cobro/contracts/ids.ts';
import { validate } from '@cobro/contracts/validation.ts';
import type { Deps } from '../deps.ts';
import type { HalfSignedIn, SignedIn } from '../http/screen.ts';
import { type Answer, innerAddress, redirect, type Visit } from '../http/visit.ts';
import { findOpenInvitation } from '../people/invitation.store.ts';
import { hashOfToken } from '../people/link.ts';
import { refusedByIssuer } from './come-back.ts';
import { addressOf, IssuerFailed } from './issuer.ts';
import { findSignOn, type SignOn, signOnOf } from './sign-on.store.ts';
import { beginTrip, type Purpose } from './trip.ts';

/** GET /sign-in/oidc/:id: the address that an owner gives to the people of a scope. */
export async function signInAtIssuer(deps: Deps, visit: Visit): Promise<Answer> {
  const signOn = await findSignOn(deps.db, validate(uuid, visit.params['id']));
  return leave(deps, visit, signOn, 'sign-in', innerAddress(visit.query.get('next')));
}

/** GET /invitation/:token/oidc */
export async function acceptAtIssuer(deps: Deps, visit: Visit): Promise<Answer> {
  const invitation = await findOpenInvitation(deps.db, hashOfToken(visit.params['token'] ?? ''), new Date());
  if (invitation === undefined || invitation.scope === null) throw new Refusal('NOT_FOUND');
  const signOn = await signOnOf(deps.db, { kind: invitation.scope, id: invitation.scopeId });
  return leave(deps, visit, signOn, 'join', '/', invitation.id);
}

/** GET /settings/sign-on/link: the issuer's account becomes one of this person's ways in, in this scope. */
export const linkAtIssuer = async (deps: Deps, visit: SignedIn): Promise<Answer> =>
  leave(deps, visit, await signOnOf(deps.db, visit.scope), 'link', '/settings');

/** GET /settings/sign-on/test: there and back, by whoever entered it. */
export const testIssuer = async (deps: Deps, visit: SignedIn): Promise<Answer> =>
  leave(deps, visit, await signOnOf(deps.db, visit.scope), 'test', '/settings/sign-on?tested=yes');

/** GET /confirm/oidc */
export async function confirmAtIssuer(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  const { signOnId } = visit.session;
  if (signOnId === null) throw new Refusal('NOT_FOUND');
  return leave(deps, visit, await findSignOn(deps.db, signOnId), 'step-up', innerAddress(visit.query.get('next')));
}

async function leave(
  deps: Deps,
  visit: Visit,
  signOn: SignOn | undefined,
  purpose: Purpose,
  next: string,
  invitationId: string | null = null,
): Promise<Answer> {
  if (signOn === undefined) throw new Refusal('NOT_FOUND');
  const trip = beginTrip(deps, visit, { signOnId: signOn.id, purpose, invitationId, next });
  try {
    return redirect(await addressOf(deps, signOn, trip));
  } catch (error) {
    if (!(error instanceof IssuerFailed)) throw error;
    return refusedByIssuer(deps, visit, error);
  }
}
