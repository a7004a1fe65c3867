import { productStatuses } from '@cobro/contracts/products.ts';
import { productsPage } from '@cobro/dashboard/products/products-page.ts';
import type { Deps } from '../deps.ts';
import { pageIn, pageOf } from '../http/page-of-list.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { READING } from '../http/reading.ts';

const PAGE_SIZE = 50;

/** GET /products: newest first. Unknown values in the address are ignored. */
export async function showProducts(deps: Deps, visit: SignedIn): Promise<Answer> {
  const status = productStatuses.find((one) => one === visit.query.get('status')) ?? null;
  const page = pageIn(visit.query);
  const query = { ...(status && { status }), page, pageSize: PAGE_SIZE };
  const result = await visit.api.products.list(query, READING).result();
  const found = pageOf(result, { page, pageSize: PAGE_SIZE });
  return show(deps, visit, (frame) => productsPage(frame, { status, found }));
}
