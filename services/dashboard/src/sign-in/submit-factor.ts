import { factorPage } from '@cobro/dashboard/account/sign-in.ts';
import type { Deps } from '../deps.ts';
import { type HalfSignedIn, toSignIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, innerAddress, redirect } from '../http/visit.ts';
import { askPerson } from '../passkeys/ask-for-passkey.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { proveFactor } from './prove-factor.ts';

/** GET /sign-in/factor */
export async function showFactor(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  const next = innerAddress(visit.query.get('next'));
  if (visit.session.stage === 'full') return redirect(next);
  const passkey = await askPerson(deps, visit, 'second-factor', visit.session.personId);
  return show(deps, visit, (frame) => factorPage(frame, { next, passkey }));
}

/** POST /sign-in/factor */
export async function submitFactor(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  const next = innerAddress(visit.form.get('next'));
  if (visit.session.stage === 'full') return redirect(next);
  const asked = { what: 'sign-in.second-factor', takesRecoveryCodes: true } as const;
  const proved = await proveFactor(deps, visit, field(visit.form, 'code'), asked);
  if ('wrong' in proved) {
    const passkey = await askPerson(deps, visit, 'second-factor', visit.session.personId);
    return show(deps, visit, (frame) => factorPage(frame, { next, passkey, ...proved.wrong }));
  }
  const cookies = await finishSignIn(deps, visit, visit.session, proved.proof);
  return cookies === undefined ? toSignIn(visit) : redirect(next, ...cookies);
}
