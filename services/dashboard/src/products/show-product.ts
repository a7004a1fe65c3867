import { productPage, type ProductView } from '@cobro/dashboard/products/product-page.ts';
import type { Product } from '@cobro/contracts/products.ts';
import { productWords } from '@cobro/dashboard/products/product-words.ts';
import type { Deps } from '../deps.ts';
import { newFormId } from '../http/form-id.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { readProduct } from './read-product.ts';

/** GET /products/{id} */
export async function showProduct(deps: Deps, visit: SignedIn): Promise<Answer> {
  const product = await readProduct(visit);
  const formId = newFormId(deps.clock.now());
  const done = doneTo(product, visit.query.get('done'));
  return show(deps, visit, (frame) => productPage(frame, { product, formId, done }));
}

/** Confirms what the address says was done, if the status agrees. */
function doneTo({ status }: Product, said: string | null): ProductView['done'] {
  if (said === 'archived' && status !== 'ARCHIVED') return null;
  if (said === 'restored' && status !== 'ACTIVE') return null;
  return said !== null && Object.hasOwn(productWords.es.done, said) ? (said as ProductView['done']) : null;
}
