import { askForIssuerPage, toIssuerPage } from '@cobro/dashboard/account/to-issuer.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from '../deps.ts';
import { idIn } from '../http/reading.ts';
import type { HalfSignedIn, SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, innerAddress, type Visit } from '../http/visit.ts';
import { findOpenInvitation } from '../people/invitation.store.ts';
import { hashOfToken } from '../people/link.ts';
import { refusedByIssuer } from './come-back.ts';
import { addressOf, IssuerFailed } from './issuer.ts';
import { nameOfPlace } from './name-of-place.ts';
import { findSignOn, type SignOn, signOnOf } from './sign-on.store.ts';
import { beginTrip, type Purpose } from './trip.ts';

/** GET /sign-in/oidc/:id: the address that an owner gives to the people of a scope. */
export async function askToSignIn(deps: Deps, visit: Visit): Promise<Answer> {
  const signOn = known(await findSignOn(deps.db, idIn(visit)));
  return ask(deps, visit, signOn, 'signIn', innerAddress(visit.query.get('next')));
}

/** POST /sign-in/oidc/:id */
export async function signInAtIssuer(deps: Deps, visit: Visit): Promise<Answer> {
  const signOn = known(await findSignOn(deps.db, idIn(visit)));
  return leave(deps, visit, signOn, 'sign-in', innerAddress(visit.form.get('next')));
}

/** POST /invitation/:token/oidc */
export async function acceptAtIssuer(deps: Deps, visit: Visit): Promise<Answer> {
  const invitation = await findOpenInvitation(deps.db, hashOfToken(visit.params['token'] ?? ''), new Date());
  if (invitation === undefined || invitation.scope === null) throw new Refusal('NOT_FOUND');
  const signOn = known(await signOnOf(deps.db, { kind: invitation.scope, id: invitation.scopeId }));
  return leave(deps, visit, signOn, 'join', '/', invitation.id);
}

/** GET /settings/sign-on/link */
export async function askToLink(deps: Deps, visit: SignedIn): Promise<Answer> {
  return ask(deps, visit, await linkable(deps, visit), 'link', '/settings');
}

/** POST /settings/sign-on/link: with the issuer's account this person can then sign in to this scope. */
export async function linkAtIssuer(deps: Deps, visit: SignedIn): Promise<Answer> {
  return leave(deps, visit, await linkable(deps, visit), 'link', '/settings');
}

/** POST /settings/sign-on/test: an owner goes to the issuer and back. */
export const testIssuer = async (deps: Deps, visit: SignedIn): Promise<Answer> =>
  leave(deps, visit, known(await signOnOf(deps.db, visit.scope)), 'test', '/settings/sign-on?tested=yes');

/** POST /confirm/oidc: the issuer asks again who the person is. */
export async function confirmAtIssuer(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  const { signOnId } = visit.session;
  if (signOnId === null) throw new Refusal('NOT_FOUND');
  const signOn = known(await findSignOn(deps.db, signOnId));
  return leave(deps, visit, signOn, 'step-up', innerAddress(visit.form.get('next')));
}

function known(signOn: SignOn | undefined): SignOn {
  if (signOn === undefined) throw new Refusal('NOT_FOUND');
  return signOn;
}

/** @throws Refusal FORBIDDEN if the person only has a lent look */
async function linkable({ db }: Deps, { scope, session }: SignedIn): Promise<SignOn> {
  if (session.lentUntil !== null) throw new Refusal('FORBIDDEN');
  return known(await signOnOf(db, scope));
}

async function ask(deps: Deps, visit: Visit, signOn: SignOn, kind: 'signIn' | 'link', next: string): Promise<Answer> {
  const { issuer } = signOn;
  const scopeName = await nameOfPlace(deps, visit, signOn);
  const action = visit.address.split('?', 1)[0] ?? '';
  return show(deps, visit, (frame) => askForIssuerPage(frame, { kind, action, next, scopeName, issuer }));
}

async function leave(
  deps: Deps,
  visit: Visit,
  signOn: SignOn,
  purpose: Purpose,
  next: string,
  invitationId: string | null = null,
): Promise<Answer> {
  const trip = beginTrip(deps, visit, { signOnId: signOn.id, purpose, invitationId, next });
  try {
    const href = await addressOf(deps, signOn, trip);
    return show(deps, visit, (frame) => toIssuerPage(frame, { href, issuer: signOn.issuer }));
  } catch (error) {
    if (!(error instanceof IssuerFailed)) throw error;
    return refusedByIssuer(deps, visit, error);
  }
}
