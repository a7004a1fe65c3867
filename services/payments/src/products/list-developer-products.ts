import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listDeveloperProducts as contract } from '@cobro/contracts/routes/products.ts';
import { developerList } from '@cobro/frame/developer-list.ts';
import type { Deps } from '../deps.ts';
import { showProduct } from './product.rules.ts';
import { productsByStatus } from './product.store.ts';

/** GET /developer/v1/product */
export async function listDeveloperProducts(
  deps: Deps,
  { caller: { organizationId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const source = productsByStatus(organizationId);
  return developerList(deps, { name: 'developer-products', organizationId, query, ...source, show: showProduct });
}
