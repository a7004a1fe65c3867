import { sql, type Tx } from '@cobro/postgres/database.ts';

export interface StockChange {
  productId: string;
  change: number;
}

interface NewStockChange extends StockChange {
  organizationId: string;
  externalId: string | undefined;
  createdAt: Date;
}

export const findStockChange = (tx: Tx, organizationId: string, externalId: string) =>
  tx.maybe<StockChange>(sql`
    select product_id as "productId", change from stock_change
    where organization_id = ${organizationId} and external_id = ${externalId}`);

/** Keeps a change that has an externalId. Returns false if the externalId is taken. */
export async function insertStockChange(tx: Tx, made: NewStockChange): Promise<boolean> {
  if (made.externalId === undefined) return true;
  const kept = await tx.run(sql`
    insert into stock_change (organization_id, external_id, product_id, change, created_at)
    values (${made.organizationId}, ${made.externalId}, ${made.productId}, ${made.change}, ${made.createdAt})
    on conflict do nothing`);
  return kept === 1;
}
