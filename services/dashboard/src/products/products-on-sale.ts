import type { Product } from '@cobro/contracts/products.ts';
import type { SignedIn } from '../http/screen.ts';
import { inTime, READING } from '../http/reading.ts';

/** How many a form offers. */
const SHOWN = { status: 'ACTIVE', page: 1, pageSize: 100 } as const;

/** The newest products that are on sale; null if they did not come in time. */
export async function productsOnSale({ api }: SignedIn): Promise<readonly Product[] | null> {
  const read = await inTime(api.products.list(SHOWN, READING));
  return read?.items ?? null;
}
