import type { PaymentLink } from '@cobro/contracts/payment-links.ts';
import type { NewestKeys } from '@cobro/frame/developer-list.ts';
import { type Queries, sql, type Sql, type Tx } from '@cobro/postgres/database.ts';
import { newestPage, pageOfKeys } from '../newest-page.ts';
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

/** The payment link's present price. `link` and `product` stand for their tables. */
export const priceNow = sql`coalesce(product.price, link.amount)`;

/** The rule of a status; `linksByStatus` repeats it for filters. */
export const statusAt = (now: Date): Sql => sql`case
    when not link.active or product.status = 'ARCHIVED' then 'INACTIVE'
    when link.expires_at <= ${now} then 'EXPIRED'
    when link.payments_count >= link.max_payments or product.stock <= 0 then 'SOLD_OUT'
    else 'ACTIVE' end`;

/** Payment links with their derived columns. */
const linksAt = (now: Date): Sql => sql`(
    select link.*, ${statusAt(now)} as status, ${priceNow} as price, product.name as product_name,
      product.stock is not null as is_counted, salesperson.name as salesperson_name,
      salesperson.username as salesperson_username
    from payment_link as link left join product on product.id = link.product_id
    left join salesperson on salesperson.id = link.salesperson_id
  ) as link`;

/** Returns the id, or undefined if the externalId is taken. */
export const insertPaymentLink = (queries: Queries, link: Parameters<typeof inserting>[0]) =>
  queries.maybe<{ id: string }>(sql`
    insert into payment_link ${inserting(link)}
    on conflict (organization_id, external_id) where external_id is not null do nothing
    returning id`);

/** Finds a link of any organization: anybody who holds the id may see and pay it. */
export const findPaymentLink = (queries: Queries, id: string, now: Date) =>
  queries.maybe<PaymentLinkRow>(sql`select ${columns} from ${linksAt(now)} where id = ${id}`);

export const findPaymentLinkByExternalId = (queries: Queries, organizationId: string, externalId: string, now: Date) =>
  queries.maybe<PaymentLinkRow>(sql`
    select ${columns} from ${linksAt(now)} where organization_id = ${organizationId} and external_id = ${externalId}`);

/** Payment links for which a charge is open. */
export const chargedLinks = sql`array(
  select payment_link_id from bank_operation join payment on payment.id = subject_id
  where bank_operation.status = 'open' and purpose = 'charge' and payment_link_id is not null)`;

const isUnannounced = sql`is_full and sold_out_announced is distinct from max_payments and id <> all(${chargedLinks})`;
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

/** Locks sold-out payment links whose selling out was not published, so that payers and settlements wait until the transaction ends. */
export const lockFull = async (tx: Tx, most: number): Promise<string[]> =>
  idsOf(
    await tx.many<{ id: string }>(sql`
      select id from payment_link where ${isUnannounced} order by id limit ${most} for no key update skip locked`),
  );

/** Marks as published those of the locked links for which no charge is open. */
export const noteSoldOut = async (tx: Tx, ids: readonly string[], at: Date): Promise<string[]> =>
  idsOf(
    await tx.many<{ id: string }>(sql`
      update payment_link set sold_out_announced = max_payments, sold_out_at = ${at}
      where id = any(${ids}::uuid[]) and ${isUnannounced} returning id`),
  );

/** For queries whose status is not used. */
const NO_TIME = new Date(0);

/** Payment links that were published as sold out, by id after this one. */
export const findSoldOutAfter = (queries: Queries, after: string, limit: number) =>
  queries.many<PaymentLinkRow>(sql`
    select ${columns} from ${linksAt(NO_TIME)} where id > ${after} and sold_out_at is not null order by id limit ${limit}`);
export const findSoldOut = (queries: Queries, ids: readonly string[]) =>
  queries.many<PaymentLinkRow>(sql`
    select ${columns} from ${linksAt(NO_TIME)} where id = any(${ids}::uuid[]) and sold_out_at is not null order by id`);

/** Locks the link, so that claims, settlements and changes take turns. */
export const lockingPaymentLink = (id: string): Sql => sql`
  select id from payment_link where id = ${id} for no key update`;

/** The same for its merchant only, so that nobody else's request makes its payers wait. */
export const lockingOwnPaymentLink = ({ organizationId, id }: { organizationId: string; id: string }): Sql => sql`
  select id from payment_link where id = ${id} and organization_id = ${organizationId} for no key update`;

/** Counts one more payment if maxPayments allows it. Ends in its `where` clause. */
export const takingPayment = (id: string): Sql => sql`
  update payment_link set payments_count = payments_count + 1
  where id = ${id} and (max_payments is null or payments_count < max_payments)`;

/** Uncounts a payment that came to nothing. Ends in its `where` clause. */
export const givingBackPayment = (id: string): Sql => sql`
  update payment_link set payments_count = payments_count - 1 where id = ${id}`;

/** The link's product, which never changes. */
export const productOfPaymentLink = (id: string): Sql =>
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

/**
 * Selects an organization's payment links, and the newest of each status as statusAt defines it, in parts that an index has in
 * order. Each link is in exactly one part.
 */
export const linksByStatus = (organizationId: string, now: Date) => {
  const isLive = sql`(expires_at is null or expires_at > ${now})`;
  const isNotFor = (products: Sql) => sql`(product_id is null or product_id not in (
    select product.id from product where product.organization_id = ${organizationId} and ${products}))`;
  const archived = sql`product.status = 'ARCHIVED'`;
  const newestFirst = sql`order by created_at desc, id desc`;
  const own =
    (condition: Sql): NewestKeys =>
    (asked, limit) =>
      sql`
      (select id, created_at from payment_link
       where organization_id = ${organizationId} and ${condition} and ${asked} ${newestFirst} limit ${limit})`;
  const ofProducts =
    (which: Sql, condition: Sql): NewestKeys =>
    (asked, limit) =>
      sql`
      (select key.id, key.created_at from product cross join lateral (
         select id, created_at from payment_link
         where product_id = product.id and ${condition} and ${asked} ${newestFirst} limit ${limit}) as key
       where product.organization_id = ${organizationId} and ${which}
       order by key.created_at desc, key.id desc limit ${limit})`;
  return {
    table: paymentLinkTable,
    from: sql`${linksAt(now)} where organization_id = ${organizationId}`,
    statuses: {
      INACTIVE: [own(sql`not active`), ofProducts(archived, sql`active`)],
      EXPIRED: [own(sql`active and expires_at is not null and expires_at <= ${now} and ${isNotFor(archived)}`)],
      SOLD_OUT: [
        own(sql`active and is_full and ${isLive} and ${isNotFor(archived)}`),
        ofProducts(sql`product.is_empty and product.status = 'ACTIVE'`, sql`active and not is_full and ${isLive}`),
      ],
      ACTIVE: [own(sql`active and not is_full and ${isLive} and ${isNotFor(sql`(${archived} or product.is_empty)`)}`)],
    },
  };
};

/** Lists newest first. Counts at most `most` links of one status, because a status follows from the time and from products. */
export function listLinks(
  queries: Queries,
  filter: {
    organizationId: string;
    status: PaymentLink['status'] | undefined;
    now: Date;
    page: number;
    pageSize: number;
    most: number;
  },
): Promise<{ count: number; rows: PaymentLinkRow[] }> {
  const { organizationId, status, now, page, pageSize, most } = filter;
  const { table, from, statuses } = linksByStatus(organizationId, now);
  if (status !== undefined) return pageOfKeys(queries, { table, from, parts: statuses[status], most, page, pageSize });
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
