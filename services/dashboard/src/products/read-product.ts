import type { Product } from '@cobro/contracts/products.ts';
import { idIn, orNotFound, READING } from '../http/reading.ts';
import type { SignedIn } from '../http/screen.ts';

/** The product that the address names. */
export const readProduct = async (visit: SignedIn): Promise<Product> =>
  orNotFound(visit.api.products.get(idIn(visit), READING));
