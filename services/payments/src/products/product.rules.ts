import { pesosOf } from '@cobro/contracts/amount.ts';
import { MOST_STOCK, type Product, STOCK_CHANGE_RULE } from '@cobro/contracts/products.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { refuseField } from '@cobro/contracts/validation.ts';
import type { ProductRow } from './product.row.ts';

/** Returns the stock after a change. @throws Refusal if the change is not allowed */
export function stockAfter({ stock }: ProductRow, change: number): number {
  if (stock === null) throw new Refusal('STOCK_NOT_COUNTED');
  const after = stock + change;
  if (after < 0) throw new Refusal('STOCK_INSUFFICIENT');
  if (change === 0 || (change > 0 && after > MOST_STOCK)) throw refuseField('change', STOCK_CHANGE_RULE);
  return after;
}

export function showProduct(row: ProductRow): Product {
  const { id, name, description, price, currency, status, stock, externalId } = row;
  return {
    id,
    name,
    description,
    price: pesosOf(price),
    currency,
    status,
    stock,
    externalId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
