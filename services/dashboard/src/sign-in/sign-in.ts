import { accountWords } from '@cobro/dashboard/account/words.ts';
import { signInPage } from '@cobro/dashboard/account/sign-in.ts';
import type { Deps } from '../deps.ts';
import { show } from '../http/show.ts';
import { type Answer, field, innerAddress, redirect, type Visit } from '../http/visit.ts';
import { askFor } from '../passkeys/ask-for-passkey.ts';
import { emailAddress } from '../people/person.row.ts';
import { beginHalfSession } from '../sessions/begin-session.ts';
import type { Said } from './attempt.ts';
import { listFactors } from './factor.store.ts';
import { tryPassword } from './try-password.ts';

/** GET /sign-in */
export async function showSignIn(deps: Deps, visit: Visit): Promise<Answer> {
  const { problems } = accountWords[visit.language];
  const said = { ended: problems.ended, changed: problems.changed, out: problems.signedOut };
  const [problem] = Object.entries(said).flatMap(([name, sentence]) => (visit.query.has(name) ? [sentence] : []));
  const next = innerAddress(visit.query.get('next'));
  const passkey = askFor(deps, visit, 'sign-in');
  return show(deps, visit, (frame) => signInPage(frame, { email: '', next, problem, passkey }));
}

/** POST /sign-in: checks the password. The second factor follows. */
export async function signIn(deps: Deps, visit: Visit): Promise<Answer> {
  const typed = field(visit.form, 'email');
  // A text that is no e-mail is nobody's, and is tried all the same.
  const email = emailAddress.safeParse(typed).data ?? '';
  const next = innerAddress(visit.form.get('next'));
  const passkey = askFor(deps, visit, 'sign-in');
  const again = ({ status, problem }: Said) =>
    show(deps, visit, (frame) => signInPage(frame, { email: typed, next, problem, status, passkey }));
  const { problems } = accountWords[visit.language];
  const tried = await tryPassword(deps, visit, { email, password: visit.form.get('password') ?? '' });
  if ('wrong' in tried) return again(tried.wrong);
  const { person } = tried;
  if ((await listFactors(deps.db, person.id)).length === 0) return again({ status: 400, problem: problems.noFactor });
  const cookie = await beginHalfSession(deps, visit, person, null);
  if (cookie === undefined) return again({ status: 400, problem: problems.wrongPassword });
  return redirect(`/sign-in/factor?next=${encodeURIComponent(next)}`, cookie);
}
