import type { Product } from '@cobro/contracts/products.ts';
import { type Queries, sql, type Sql, type Tx } from '@cobro/postgres/database.ts';
import { newestPage } from '../newest-page.ts';
import { chargedLinks } from '../payment-links/payment-link.store.ts';
import { type ProductRow, productTable } from './product.row.ts';

const columns = productTable.list;
const inserting = productTable.inserting(
  'id',
  'organizationId',
  'externalId',
  'requestDigest',
  'name',
  'description',
  'price',
  'currency',
  'stock',
  'stocked',
  'createdAt',
  'updatedAt',
);

/** Returns undefined if the externalId is taken. */
export const insertProduct = (queries: Queries, product: Omit<Parameters<typeof inserting>[0], 'stocked'>) =>
  queries.maybe<ProductRow>(sql`
    insert into product ${inserting({ ...product, stocked: product.stock })}
    on conflict (organization_id, external_id) where external_id is not null do nothing
    returning ${columns}`);

export const findProduct = (queries: Queries, organizationId: string, id: string) =>
  queries.maybe<ProductRow>(sql`
    select ${columns} from product where id = ${id} and organization_id = ${organizationId}`);

export const findProductByExternalId = (queries: Queries, organizationId: string, externalId: string) =>
  queries.maybe<ProductRow>(sql`
    select ${columns} from product where organization_id = ${organizationId} and external_id = ${externalId}`);

/** Counts the ids that are no product of the organization. */
export const countUnknownProducts = (queries: Queries, organizationId: string, ids: readonly string[]) =>
  queries.one<{ count: number }>(sql`
    select count(*)::int as count from unnest(${ids}::uuid[]) as asked (id)
    where not exists (select from product where product.id = asked.id and organization_id = ${organizationId})`);

/** Locks the product until the transaction ends, so that changes and sales take turns. */
export const lockProduct = (tx: Tx, organizationId: string, id: string) =>
  tx.maybe<ProductRow>(sql`
    select ${columns} from product where id = ${id} and organization_id = ${organizationId} for no key update`);

type Changes = Partial<Pick<ProductRow, 'name' | 'description' | 'price' | 'status' | 'stock' | 'stocked'>>;

export const changeProduct = (tx: Tx, id: string, changes: Changes, at: Date) =>
  tx.one<ProductRow>(sql`
    update product set ${productTable.setting({ ...changes, updatedAt: at })}, version = version + 1
    where id = ${id} returning ${columns}`);

/** Locks a product whose units are counted. Claims and settlements lock it before the payment link. `id` may be a subquery. */
export const lockingUnits = (id: string | Sql): Sql => sql`
  select id from product where id = ${id} and stock is not null for no key update`;

/** Locks a product whose units are not counted: its sales wait for changes only. */
export const lockingPrice = (id: string): Sql => sql`select id from product where id = ${id} for share`;

/** Takes one unit if one is left. Ends in its `where` clause. */
export const takingUnit = (id: string, at: Date): Sql => sql`
  update product set stock = stock - 1, updated_at = ${at}, version = version + 1
  where id = ${id} and stock > 0`;

/** Gives a unit back when a payment is settled without money. Ends in its `where` clause. */
export const givingBackUnit = (id: string | Sql, at: Date): Sql => sql`
  update product set stock = stock + 1, updated_at = ${at}, version = version + 1
  where id = ${id} and stock is not null`;

/** Locks products whose running out was not published, so that sales and settlements wait until the transaction ends. */
export const lockEmpty = async (tx: Tx, most: number): Promise<string[]> => {
  const locked = await tx.many<{ id: string }>(sql`
    select id from product
    where is_empty and out_of_stock_announced <> stocked and id <> all(${chargedProducts})
    order by id limit ${most} for no key update skip locked`);
  return locked.map(({ id }) => id);
};

/** Marks as published those of the locked products for which no charge is open. */
export const noteOutOfStock = (tx: Tx, ids: readonly string[], at: Date) =>
  tx.many<ProductRow>(sql`
    update product set out_of_stock_announced = stocked, out_of_stock_at = ${at}
    where id = any(${ids}::uuid[]) and is_empty and out_of_stock_announced <> stocked and id <> all(${chargedProducts})
    returning ${columns}`);

/** Products for which a charge is open. */
const chargedProducts = sql`array(
  select product_id from payment_link where id = any(${chargedLinks}) and product_id is not null)`;

/** Products that were published as out of stock, by id after this one. */
export const findOutOfStockAfter = (queries: Queries, after: string, limit: number) =>
  queries.many<ProductRow>(sql`
    select ${columns} from product where id > ${after} and out_of_stock_at is not null order by id limit ${limit}`);
export const findOutOfStock = (queries: Queries, ids: readonly string[]) =>
  queries.many<ProductRow>(sql`
    select ${columns} from product where id = any(${ids}::uuid[]) and out_of_stock_at is not null`);

/** An organization's products, and the condition of each status. */
export const productsByStatus = (organizationId: string) => ({
  table: productTable,
  from: sql`product where organization_id = ${organizationId}`,
  statuses: { ACTIVE: sql`status = 'ACTIVE'`, ARCHIVED: sql`status = 'ARCHIVED'` },
});

export function listProducts(
  queries: Queries,
  filter: { organizationId: string; status: Product['status'] | undefined; page: number; pageSize: number },
): Promise<{ count: number; rows: ProductRow[] }> {
  const { organizationId, status, page, pageSize } = filter;
  const { table, from, statuses } = productsByStatus(organizationId);
  return newestPage(queries, {
    table,
    list: 'product',
    owner: organizationId,
    from,
    kind: status === undefined ? sql`true` : statuses[status],
    page,
    pageSize,
  });
}
