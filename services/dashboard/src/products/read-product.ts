import { uuid } from '@cobro/contracts/ids.ts';
import type { Product } from '@cobro/contracts/products.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { SignedIn } from '../http/screen.ts';
import { READING } from '../payments/reading.ts';

/** The product that the address names. @throws Refusal 404 where it is another organization's, 503 where it cannot be read now */
export async function readProduct({ api, params }: SignedIn): Promise<Product> {
  const { success, data: id } = uuid.safeParse(params['id']);
  if (!success) throw new Refusal('NOT_FOUND');
  const result = await api.products.get(id, READING).result();
  if (result.kind === 'done') return result.value;
  if (result.kind === 'refused' && result.refusal.status < 500) throw new Refusal('NOT_FOUND');
  throw new Refusal('SERVICE_UNAVAILABLE');
}
