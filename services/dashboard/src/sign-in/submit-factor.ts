import { confirmPage, factorPage } from '@cobro/dashboard/account/sign-in.ts';
import type { Deps } from '../deps.ts';
import type { HalfSignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, innerAddress, redirect } from '../http/visit.ts';
import { noteProved } from '../sessions/session.store.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { proveFactor } from './prove-factor.ts';

/** GET /sign-in/factor */
export async function showFactor(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  const next = innerAddress(visit.query.get('next'));
  if (visit.session.stage === 'full') return redirect(next);
  return show(deps, visit, (frame) => factorPage(frame, { next }));
}

/** POST /sign-in/factor */
export async function submitFactor(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  const next = innerAddress(visit.form.get('next'));
  if (visit.session.stage === 'full') return redirect(next);
  const wrong = await proveFactor(deps, visit, visit.session, field(visit.form, 'code'));
  if (wrong !== undefined) return show(deps, visit, (frame) => factorPage(frame, { next, ...wrong }));
  return redirect(next, ...(await finishSignIn(deps, visit)));
}

/** GET /confirm */
export async function showConfirm(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  if (visit.session.stage !== 'full') return redirect('/sign-in/factor');
  return show(deps, visit, (frame) => confirmPage(frame, { next: innerAddress(visit.query.get('next')) }));
}

/** POST /confirm: a second factor once more, for what is dangerous. */
export async function confirm(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  if (visit.session.stage !== 'full') return redirect('/sign-in/factor');
  const next = innerAddress(visit.form.get('next'));
  const wrong = await proveFactor(deps, visit, visit.session, field(visit.form, 'code'));
  if (wrong !== undefined) return show(deps, visit, (frame) => confirmPage(frame, { next, ...wrong }));
  await noteProved(deps.db, visit.session.id, new Date());
  return redirect(next);
}
