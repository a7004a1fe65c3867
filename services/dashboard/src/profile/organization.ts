import { organizationChange } from '@cobro/contracts/organizations.ts';
import { organizationPage, type OrganizationView, profileFields } from '@cobro/dashboard/settings/organization.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { problemOf } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { inTime, READING } from '../http/reading.ts';

/** GET /settings/organization */
export const showOrganization = (deps: Deps, visit: SignedIn): Promise<Answer> => draw(deps, visit);

/** POST /settings/organization: what was left empty stays as it is. */
export async function changeOrganization(deps: Deps, visit: SignedIn): Promise<Answer> {
  const typed = Object.fromEntries(profileFields.map((name) => [name, field(visit.form, name)]));
  const { name, ...business } = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''));
  const read = organizationChange.safeParse({ name, business });
  // What was typed is not shown again, because it may be a card number.
  if (!read.success || name === undefined) return draw(deps, visit, { problem: { kind: 'wrong' } });
  const result = await audited(deps, visit, {
    what: 'organization.change',
    target: visit.scope.id,
    send: () => visit.api.organization.change({ name, business }, { attempts: 1 }).result(),
  });
  if (result.kind === 'done') return redirect('/settings/organization?done=organization');
  return draw(deps, visit, { typed, problem: problemOf(visit, result) });
}

async function draw(
  deps: Deps,
  visit: SignedIn,
  refused: Partial<Pick<OrganizationView, 'typed' | 'problem'>> = {},
): Promise<Answer> {
  const profile = await inTime(visit.api.organization.get(READING));
  const isDone = visit.query.get('done') === 'organization';
  return show(deps, visit, (frame) =>
    organizationPage(frame, { profile, typed: {}, problem: null, isDone, ...refused }),
  );
}
