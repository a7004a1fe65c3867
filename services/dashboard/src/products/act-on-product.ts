import type { Product } from '@cobro/contracts/products.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import {
  type ProductAction,
  type ProductActionView,
  productActionPage,
  productActions,
} from '@cobro/dashboard/products/product-page.ts';
import { productHref } from '@cobro/dashboard/products/product-parts.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { formMadeAt, newFormId } from '../http/form-id.ts';
import { problemOf, refusedAs } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { readChanges, readStockChange, typedIn } from './product-form.rules.ts';
import { readProduct } from './read-product.ts';

/** GET /products/{id}/{action}: the form alone, for browsers without script. */
export async function showProductAction(deps: Deps, visit: SignedIn): Promise<Answer> {
  const act = actionIn(visit);
  return draw(deps, visit, { act, product: await readProduct(visit) });
}

/** POST /products/{id}/{action} */
export async function actOnProduct(deps: Deps, visit: SignedIn): Promise<Answer> {
  const act = actionIn(visit);
  const product = await readProduct(visit);
  if (act === 'stock') return changeStock(deps, visit, product);
  if (act === 'change') return change(deps, visit, product);
  const status = act === 'archive' ? 'ARCHIVED' : 'ACTIVE';
  return send(deps, visit, { act, product, done: `${act}d`, request: { status } });
}

function actionIn({ params }: SignedIn): ProductAction {
  const act = productActions.find((one) => one === params['action']);
  if (act === undefined) throw new Refusal('NOT_FOUND');
  return act;
}

async function change(deps: Deps, visit: SignedIn, product: Product): Promise<Answer> {
  const read = readChanges(visit.form);
  if (read.kind === 'good')
    return send(deps, visit, { act: 'change', product, done: 'changed', request: read.changes });
  return draw(deps, visit, { act: 'change', product, typed: typedIn(visit.form), wrong: read.wrong });
}

interface Sent {
  act: ProductAction;
  product: Product;
  done: string;
  request: { name?: string; description?: string; price?: number; status?: Product['status'] };
}

/** Repeated, it does nothing more. */
async function send(deps: Deps, visit: SignedIn, { act, product, done, request }: Sent): Promise<Answer> {
  const result = await audited(deps, visit, {
    what: `product.${act}`,
    target: product.id,
    send: () => visit.api.products.change(product.id, request, { attempts: 1 }).result(),
  });
  if (result.kind === 'done') return redirect(`${productHref(product.id)}?done=${done}`);
  return draw(deps, visit, { act, product, typed: typedIn(visit.form), problem: problemOf(visit, result) });
}

/** The form's id is the externalId: however often it is sent, the stock changes once. */
async function changeStock(deps: Deps, visit: SignedIn, product: Product): Promise<Answer> {
  const { form } = visit;
  const view = { act: 'stock', product, typed: typedIn(form) } as const;
  const externalId = field(form, 'formId');
  if (formMadeAt(externalId, deps.clock.now()) === undefined) {
    return draw(deps, visit, { ...view, problem: refusedAs(visit, 'FORM_TOO_OLD') });
  }
  const units = readStockChange(form);
  if (units === undefined) return draw(deps, visit, { ...view, wrong: ['change'] });
  const result = await audited(deps, visit, {
    what: 'product.stock',
    target: product.id,
    send: () => visit.api.products.changeStock(product.id, { change: units, externalId }, { attempts: 1 }).result(),
  });
  if (result.kind === 'done') return redirect(`${productHref(product.id)}?done=stock`);
  const problem = problemOf(visit, result);
  if (problem.kind === 'lost') return draw(deps, visit, { ...view, formId: externalId, problem });
  if (problem.code === 'EXTERNAL_ID_MISMATCH')
    return draw(deps, visit, { ...view, problem: refusedAs(visit, 'FORM_USED') });
  if (problem.code === 'VALIDATION_ERROR') return draw(deps, visit, { ...view, wrong: ['change'], problem });
  return draw(deps, visit, { ...view, problem });
}

function draw(
  deps: Deps,
  visit: SignedIn,
  view: Pick<ProductActionView, 'act' | 'product'> & Partial<ProductActionView>,
): Answer {
  const formId = newFormId(deps.clock.now());
  return show(deps, visit, (frame) =>
    productActionPage(frame, { formId, typed: {}, wrong: [], problem: null, ...view }),
  );
}
