import type { PaymentLink } from '@cobro/contracts/payment-links.ts';
import { type Queries, sql, type Sql, type Tx } from '@cobro/postgres/database.ts';
import { newestPage, pageOf } from '../newest-page.ts';
import { keptLinkTable, type PaymentLinkRow, paymentLinkTable } from './payment-link.row.ts';

const columns = paymentLinkTable.list;
const inserting = keptLinkTable.inserting(
  'id',
  'organizationId',
  'externalId',
  'requestDigest',
  'productId',
  'description',
  'amount',
  'currency',
  'allowedTerms',
  'maxPayments',
  'expiresAt',
  'redirectUrl',
  'homepageUrl',
  'salespersonId',
  'createdAt',
  'updatedAt',
);

/** What is asked for at the payment link now. `link` and `product` stand for their tables. */
export const priceNow = sql`coalesce(product.price, link.amount)`;

/** The only rule of a status, for reads, filters and claims alike. */
export const statusAt = (now: Date): Sql => sql`case
    when not link.active or product.status = 'ARCHIVED' then 'INACTIVE'
    when link.expires_at <= ${now} then 'EXPIRED'
    when link.payments_count >= link.max_payments or product.stock <= 0 then 'SOLD_OUT'
    else 'ACTIVE' end`;

/** Payment links with what is derived of them. */
const linksAt = (now: Date): Sql => sql`(
    select link.*, ${statusAt(now)} as status, ${priceNow} as price, product.name as product_name,
      product.stock is not null as is_counted, salesperson.name as salesperson_name,
      salesperson.username as salesperson_username
    from payment_link as link left join product on product.id = link.product_id
    left join salesperson on salesperson.id = link.salesperson_id
  ) as link`;

/** Its id; undefined where the externalId is taken. */
export const insertPaymentLink = (queries: Queries, link: Parameters<typeof inserting>[0]) =>
  queries.maybe<{ id: string }>(sql`
    insert into payment_link ${inserting(link)}
    on conflict (organization_id, external_id) where external_id is not null do nothing
    returning id`);

/** Of any organization: whoever holds the id may see and pay it. */
export const findPaymentLink = (queries: Queries, id: string, now: Date) =>
  queries.maybe<PaymentLinkRow>(sql`select ${columns} from ${linksAt(now)} where id = ${id}`);

export const findPaymentLinkByExternalId = (queries: Queries, organizationId: string, externalId: string, now: Date) =>
  queries.maybe<PaymentLinkRow>(sql`
    select ${columns} from ${linksAt(now)} where organization_id = ${organizationId} and external_id = ${externalId}`);

/** Claims, settlements and changes take their turns here. */
export const lockingPaymentLink = (id: string): Sql => sql`
  select id from payment_link where id = ${id} for no key update`;

/** The same for its merchant, so that nobody else's request keeps its payers waiting. */
export const lockingOwnPaymentLink = ({ organizationId, id }: { organizationId: string; id: string }): Sql => sql`
  select id from payment_link where id = ${id} and organization_id = ${organizationId} for no key update`;

/** One more payment of those that it may have. Ends in its condition. */
export const takingPayment = (id: string): Sql => sql`
  update payment_link set payments_count = payments_count + 1
  where id = ${id} and (max_payments is null or payments_count < max_payments)`;

/** A payment came to nothing. Ends in its condition. */
export const givingBackPayment = (id: string): Sql => sql`
  update payment_link set payments_count = payments_count - 1 where id = ${id}`;

/** Its product, which never changes. */
export const productOfLink = (id: string): Sql =>
  sql`(select product_id from payment_link where payment_link.id = ${id})`;

type Changes = Partial<
  Pick<
    PaymentLinkRow,
    'amount' | 'description' | 'allowedTerms' | 'maxPayments' | 'expiresAt' | 'redirectUrl' | 'homepageUrl' | 'active'
  >
>;

export const changeLink = (tx: Tx, id: string, changes: Changes, at: Date): void =>
  tx.send(sql`
    update payment_link set ${keptLinkTable.setting({ ...changes, updatedAt: at })}, version = version + 1
    where id = ${id}`);

/** An organization's payment links, and the condition of each status. */
export const linksByStatus = (organizationId: string, now: Date) => ({
  table: paymentLinkTable,
  from: sql`${linksAt(now)} where organization_id = ${organizationId}`,
  statuses: {
    INACTIVE: sql`status = 'INACTIVE'`,
    EXPIRED: sql`status = 'EXPIRED'`,
    SOLD_OUT: sql`status = 'SOLD_OUT'`,
    ACTIVE: sql`status = 'ACTIVE'`,
  },
});

/** Newest first. A status follows from the time and from products, so links of one status are counted one by one. */
export function listLinks(
  queries: Queries,
  filter: {
    organizationId: string;
    status: PaymentLink['status'] | undefined;
    now: Date;
    page: number;
    pageSize: number;
  },
): Promise<{ count: number; rows: PaymentLinkRow[] }> {
  const { organizationId, status, now, page, pageSize } = filter;
  const { table, from, statuses } = linksByStatus(organizationId, now);
  if (status !== undefined)
    return pageOf(queries, { table, from: sql`${from} and ${statuses[status]}`, page, pageSize });
  return newestPage(queries, {
    table,
    list: 'payment_link',
    owner: organizationId,
    from,
    kind: sql`true`,
    page,
    pageSize,
  });
}
