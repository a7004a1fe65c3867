import { confirmAtIssuerPage, confirmPage } from '@cobro/dashboard/account/sign-in.ts';
import { isAskedAlready, recordAudit } from '../audit/audit.store.ts';
import { bySession } from '../audit/who.ts';
import type { Deps } from '../deps.ts';
import type { HalfSignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, innerAddress, redirect } from '../http/visit.ts';
import { askPerson } from '../passkeys/ask-for-passkey.ts';
import { noteProved } from '../sessions/session.store.ts';
import { proveFactor } from './prove-factor.ts';

const what = 'step-up';

/** GET /confirm */
export async function showConfirm(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  if (visit.session.stage !== 'full') return redirect('/sign-in/factor');
  const next = innerAddress(visit.query.get('next'));
  const asked = { ...bySession(visit), what, target: pathOf(next), outcome: 'asked' } as const;
  // A page that is loaded repeatedly is recorded once.
  if (!(await isAskedAlready(deps.db, asked, new Date()))) await recordAudit(deps.db, asked);
  if (visit.session.signOnId !== null) return show(deps, visit, (frame) => confirmAtIssuerPage(frame, next));
  const passkey = await askPerson(deps, visit, 'step-up', visit.session.personId);
  return show(deps, visit, (frame) => confirmPage(frame, { next, passkey }));
}

/** POST /confirm: takes a second factor again before a dangerous action. A recovery code is on paper, and not enough. */
export async function confirm(deps: Deps, visit: HalfSignedIn): Promise<Answer> {
  const { session } = visit;
  if (session.stage !== 'full') return redirect('/sign-in/factor');
  const next = innerAddress(visit.form.get('next'));
  const proved = await proveFactor(deps, visit, field(visit.form, 'code'), { what, takesRecoveryCodes: false });
  if ('wrong' in proved) {
    const passkey = await askPerson(deps, visit, 'step-up', session.personId);
    return show(deps, visit, (frame) => confirmPage(frame, { next, passkey, ...proved.wrong }));
  }
  await stepUp(deps, visit, next);
  return redirect(next);
}

/** Allows this session dangerous actions for fifteen minutes. */
export const stepUp = (deps: Deps, visit: HalfSignedIn, next: string): Promise<void> =>
  deps.db.inTransaction(async (tx) => {
    await noteProved(tx, visit.session.id, new Date());
    await recordAudit(tx, { ...bySession(visit), what, target: pathOf(next), outcome: 'done' });
  });

/** The rest may hold what was searched for. */
const pathOf = (address: string) => address.split('?', 1)[0] ?? '';
