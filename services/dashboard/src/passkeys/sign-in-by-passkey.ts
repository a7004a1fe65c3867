import { confirmPage, factorPage, signInPage } from '@cobro/dashboard/account/sign-in.ts';
import type { Deps } from '../deps.ts';
import { type HalfSignedIn, toSignIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, innerAddress, redirect, type Visit } from '../http/visit.ts';
import { stepUp } from '../sign-in/confirm.ts';
import { finishSignIn } from '../sign-in/finish-sign-in.ts';
import { askFor } from './ask-for-passkey.ts';
import { provePasskey } from './prove-passkey.ts';

/** POST /sign-in/passkey: the device has checked who holds it, so it is both factors. */
export async function signInByPasskey(deps: Deps, visit: Visit): Promise<Answer> {
  const next = innerAddress(visit.form.get('next'));
  const proved = await provePasskey(deps, visit, { purpose: 'sign-in', what: 'sign-in.passkey' });
  if ('wrong' in proved) {
    const passkey = askFor(deps, visit, 'sign-in');
    return show(deps, visit, (frame) => signInPage(frame, { email: '', next, passkey, ...proved.wrong }));
  }
  const { person, passkeyId } = proved;
  const entering = { id: null, personId: person.id, email: person.email, invitationId: null, passkeyId };
  const cookies = await finishSignIn(deps, visit, entering, 'passkey');
  return cookies === undefined ? toSignIn(visit) : redirect(next, ...cookies);
}

/** POST /sign-in/factor/passkey: after the password, in the place of a code. */
export async function submitPasskey(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  const { session } = visit;
  const next = innerAddress(visit.form.get('next'));
  if (session.stage === 'full') return redirect(next);
  const asked = { purpose: 'second-factor', personId: session.personId, what: 'sign-in.second-factor' } as const;
  const proved = await provePasskey(deps, visit, asked);
  if ('wrong' in proved) {
    const passkey = askFor(deps, visit, 'second-factor');
    return show(deps, visit, (frame) => factorPage(frame, { next, passkey, ...proved.wrong }));
  }
  const cookies = await finishSignIn(deps, visit, { ...session, passkeyId: proved.passkeyId }, 'passkey');
  return cookies === undefined ? toSignIn(visit) : redirect(next, ...cookies);
}

/** POST /confirm/passkey */
export async function confirmByPasskey(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  const { session } = visit;
  if (session.stage !== 'full') return redirect('/sign-in/factor');
  const next = innerAddress(visit.form.get('next'));
  const asked = { purpose: 'step-up', personId: session.personId, what: 'step-up' } as const;
  const proved = await provePasskey(deps, visit, asked);
  if ('wrong' in proved) {
    const passkey = askFor(deps, visit, 'step-up');
    return show(deps, visit, (frame) => confirmPage(frame, { next, passkey, ...proved.wrong }));
  }
  await stepUp(deps, visit, next);
  return redirect(next);
}
