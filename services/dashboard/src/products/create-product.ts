import { newProductPage, type NewProductView } from '@cobro/dashboard/products/product-forms.ts';
import { productHref } from '@cobro/dashboard/products/product-parts.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { newFormId } from '../http/form-id.ts';
import { problemOf, refusedAs } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { readNewProduct, typedIn } from './product-form.rules.ts';

/** GET /products/new */
export async function showNewProduct(deps: Deps, visit: SignedIn): Promise<Answer> {
  return draw(deps, visit, { typed: {} });
}

/** POST /products/new: the same form makes one product, however often it is sent, so it keeps its id if the answer was lost. */
export async function createProduct(deps: Deps, visit: SignedIn): Promise<Answer> {
  const typed = typedIn(visit.form);
  const read = readNewProduct(visit.form, deps.clock.now());
  if (read.kind === 'wrong') return draw(deps, visit, { typed, wrong: read.wrong });
  if (read.kind === 'too-old') return draw(deps, visit, { typed, problem: refusedAs(visit, 'FORM_TOO_OLD') });
  const { formId, request, isReferenceOwn } = read;
  const result = await audited(deps, visit, {
    what: 'product.create',
    target: formId,
    made: ({ id }) => id,
    send: () => visit.api.products.create(request, { attempts: 1 }).result(),
  });
  if (result.kind === 'done') return redirect(`${productHref(result.value.id)}?done=created`);
  const problem = problemOf(visit, result);
  const isFormUsed = problem.kind === 'refused' && problem.code === 'EXTERNAL_ID_MISMATCH' && !isReferenceOwn;
  if (isFormUsed) return draw(deps, visit, { typed, problem: refusedAs(visit, 'FORM_USED') });
  return draw(deps, visit, { formId, typed, problem });
}

function draw(deps: Deps, visit: SignedIn, view: Partial<NewProductView> & Pick<NewProductView, 'typed'>): Answer {
  const formId = newFormId(deps.clock.now());
  return show(deps, visit, (frame) => newProductPage(frame, { formId, wrong: [], problem: null, ...view }));
}
