import { profilePage } from '@cobro/dashboard/settings/profile.ts';
import { profileWords, type ProfileWords } from '@cobro/dashboard/settings/profile-words.ts';
import { requiredText } from '@cobro/contracts/text.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { byMember } from '../audit/who.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { languages } from '../people/person.row.ts';
import { changePassword, lockPerson, nameItself } from '../people/person.store.ts';
import { endOtherSessions } from '../sessions/session.store.ts';
import { hashPassword, isLongEnough } from '../sign-in/password.ts';
import { tryPassword } from '../sign-in/try-password.ts';

type Problem = keyof ProfileWords['problems'];
const personName = requiredText(100);

/** GET /settings/profile */
export const showProfile = (deps: Deps, visit: SignedIn): Promise<Answer> => pageWith(deps, visit);

/** POST /settings/profile */
export async function changeProfile(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { person, form } = visit;
  const name = personName.safeParse(field(form, 'name'));
  const language = languages.find((one) => one === form.get('language'));
  if (!name.success || language === undefined) return pageWith(deps, visit, { kind: 'name' });
  await nameItself(deps.db, person.id, { name: name.data, language });
  return redirect('/settings/profile?done=profile');
}

/** POST /settings/profile/password: every other session ends. */
export async function changeOwnPassword(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { person, form, session } = visit;
  const password = form.get('newPassword') ?? '';
  if (!isLongEnough(password)) return pageWith(deps, visit, { kind: 'password' });
  const tried = await tryPassword(deps, visit, { email: person.email, password: form.get('password') ?? '' });
  if ('wrong' in tried) return pageWith(deps, visit, tried.wrong);
  const passwordHash = await hashPassword(person.email, password);
  const isDone = await deps.db.inTransaction(async (tx) => {
    // A reset link may have set another password meanwhile.
    if ((await lockPerson(tx, person.id)).passwordHash !== tried.person.passwordHash) return false;
    await changePassword(tx, person.id, passwordHash);
    await endOtherSessions(tx, person.id, session.id, new Date());
    await recordAudit(tx, { ...byMember(visit), what: 'password.change', outcome: 'done' });
    return true;
  });
  return isDone ? redirect('/settings/profile?done=password') : pageWith(deps, visit, { kind: 'changed' });
}

async function pageWith(
  deps: Deps,
  visit: SignedIn,
  wrong?: { kind: Problem } | { status: number; problem: string },
): Promise<Answer> {
  const { person, language, query, session } = visit;
  const words = profileWords[language];
  const problem = wrong && ('kind' in wrong ? words.problems[wrong.kind] : wrong.problem);
  const status = wrong === undefined ? 200 : 'kind' in wrong ? 400 : wrong.status;
  const done = (['profile', 'password', 'factor'] as const).find((one) => one === query.get('done')) ?? null;
  const view = {
    name: person.name,
    email: person.email,
    done,
    problem,
    status,
    isOwnAccount: session.signOnId === null,
  };
  return show(deps, visit, (frame) => profilePage(frame, view));
}
