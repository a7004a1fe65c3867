import { cancelLinkPage } from '@cobro/dashboard/links/link-page.ts';
import { linkHref } from '@cobro/dashboard/links/link-parts.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { problemOf } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { readLink } from './show-link.ts';

/** GET /links/{id}/cancel: the form alone, for browsers without script. */
export async function showCancelLink(deps: Deps, visit: SignedIn): Promise<Answer> {
  const link = await readLink(visit);
  return show(deps, visit, (frame) => cancelLinkPage(frame, { link, problem: null }));
}

/** POST /links/{id}/cancel: repeated, it does nothing more. */
export async function cancelLink(deps: Deps, visit: SignedIn): Promise<Answer> {
  const link = await readLink(visit);
  const result = await audited(deps, visit, {
    what: 'link.cancel',
    target: link.id,
    send: () => visit.api.oneTimePayments.cancel(link.id, { attempts: 1 }).result(),
  });
  if (result.kind === 'done') return redirect(`${linkHref(link.id)}?done=cancelled`);
  return show(deps, visit, (frame) => cancelLinkPage(frame, { link, problem: problemOf(visit, result) }));
}
