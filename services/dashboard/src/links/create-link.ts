import { linkHref } from '@cobro/dashboard/links/link-parts.ts';
import { newLinkPage, type NewLinkView } from '@cobro/dashboard/links/new-link-page.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { problemOf, refusedAs } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { newFormId } from '../http/form-id.ts';
import { whoSells } from '../sellers/who-sells.ts';
import { readLinkForm, typedIn } from './link-form.rules.ts';

/** GET /links/new: empty, or filled in by another page through the address. */
export async function showNewLink(deps: Deps, visit: SignedIn): Promise<Answer> {
  const typed = typedIn(visit.query);
  const terms = typed.terms.length === 0 ? [1] : typed.terms;
  return draw(deps, { ...visit, address: '/links/new' }, { typed: { ...typed, terms } });
}

/**
 * POST /links/new: the form's id is the externalId unless one was typed, so the same form makes one link however often it is sent. A
 * form whose answer was lost keeps its id for that reason.
 */
export async function createLink(deps: Deps, visit: SignedIn): Promise<Answer> {
  const typed = typedIn(visit.form);
  const read = readLinkForm(visit.form, deps.clock.now());
  if (read.kind === 'wrong') return draw(deps, visit, { typed, wrong: read.wrong });
  if (read.kind === 'too-old') return draw(deps, visit, { typed, problem: refusedAs(visit, 'FORM_TOO_OLD') });
  const { formId, request, isReferenceOwn } = read;
  const result = await audited(deps, visit, {
    what: 'link.create',
    target: formId,
    made: ({ id }) => id,
    send: () => visit.api.oneTimePayments.create(request, { attempts: 1 }).result(),
  });
  if (result.kind === 'done') return redirect(`${linkHref(result.value.id)}?done=created`);
  const problem = problemOf(visit, result);
  const isFormUsed = problem.kind === 'refused' && problem.code === 'EXTERNAL_ID_MISMATCH' && !isReferenceOwn;
  if (isFormUsed) return draw(deps, visit, { typed, problem: refusedAs(visit, 'FORM_USED') });
  return draw(deps, visit, { formId, typed, problem });
}

async function draw(
  deps: Deps,
  visit: SignedIn,
  view: Partial<NewLinkView> & Pick<NewLinkView, 'typed'>,
): Promise<Answer> {
  const formId = newFormId(deps.clock.now());
  const sellers = await whoSells(visit);
  return show(deps, visit, (frame) => newLinkPage(frame, { formId, sellers, wrong: [], problem: null, ...view }));
}
