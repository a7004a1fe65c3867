import type { OneTimePayment } from '@cobro/contracts/one-time-payments.ts';
import { type Queries, sql, type Sql, type Tx } from '@cobro/postgres/database.ts';
import { newestPage } from '../newest-page.ts';
import { type OneTimePaymentRow, oneTimePaymentTable } from './one-time-payment.row.ts';

const columns = oneTimePaymentTable.list;
const inserting = oneTimePaymentTable.inserting(
  'id',
  'organizationId',
  'externalId',
  'requestDigest',
  'description',
  'amount',
  'currency',
  'expiresAt',
  'redirectUrl',
  'homepageUrl',
  'allowedTerms',
  'billing',
  'salespersonId',
  'createdAt',
  'updatedAt',
);

/** Returns undefined if the externalId is taken. */
export const insertOneTimePayment = (queries: Queries, link: Parameters<typeof inserting>[0]) =>
  queries.maybe<OneTimePaymentRow>(sql`
    insert into one_time_payment ${inserting(link)}
    on conflict (organization_id, external_id) where external_id is not null do nothing
    returning ${columns}`);

/** Finds a link of any organization: anybody who holds the id may see and pay it. */
export const findOneTimePayment = (queries: Queries, id: string) =>
  queries.maybe<OneTimePaymentRow>(sql`select ${columns} from one_time_payment where id = ${id}`);

export const findLinkByExternalId = (queries: Queries, organizationId: string, externalId: string) =>
  queries.maybe<OneTimePaymentRow>(sql`
    select ${columns} from one_time_payment where organization_id = ${organizationId} and external_id = ${externalId}`);

/** Locks the link until the transaction ends, so that paying and cancelling take turns. */
export const lockingLink = (id: string): Sql =>
  sql`select ${columns} from one_time_payment where id = ${id} for update`;

/** The same for its merchant only, so that nobody else's request makes its payers wait. */
export const lockOwnLink = (tx: Tx, organizationId: string, id: string) =>
  tx.maybe<OneTimePaymentRow>(sql`
    select ${columns} from one_time_payment where id = ${id} and organization_id = ${organizationId} for update`);

/** Locks the link if it is PENDING. */
export const lockingPendingLink = (id: string): Sql => sql`
  select id from one_time_payment where id = ${id} and status = 'PENDING' for no key update`;

/** The only way out of PENDING; changes nothing in a link that has left it. */
const ending = (id: string, status: 'CONFIRMED' | 'CANCELLED', at: Date): Sql => sql`
  update one_time_payment set status = ${status}, updated_at = ${at}, version = version + 1
  where id = ${id} and status = 'PENDING'`;

/** Part of the settlement of its payment. */
export const confirmingLink = (id: string, at: Date): Sql => ending(id, 'CONFIRMED', at);

export const cancelLink = (tx: Tx, id: string, at: Date) =>
  tx.maybe<OneTimePaymentRow>(sql`${ending(id, 'CANCELLED', at)} returning ${columns}`);

/** The end that was published last. */
export type Announced = 'PAID' | 'CANCELLED' | 'EXPIRED';

const isCharged = sql`exists (
  select from payment where one_time_payment_id = link.id and takes_source and payment.status = 'PENDING')`;

/** Locks links whose last end was not published: paid, cancelled, or expired before `expiredBefore` while no card is being charged. */
export const lockEndedLinks = (tx: Tx, expiredBefore: Date, most: number) =>
  tx.many<OneTimePaymentRow>(sql`
    select ${columns} from one_time_payment as link
    where id = any(array(
      (select id from one_time_payment where announced is null and status <> 'PENDING' order by updated_at limit ${most})
      union all
      (select id from one_time_payment as link
       where announced is null and status = 'PENDING' and expires_at <= ${expiredBefore} and not ${isCharged}
       order by expires_at limit ${most})
      union all
      (select id from one_time_payment where announced = 'EXPIRED' and status = 'CANCELLED' order by updated_at limit ${most})))
    and (announced is null and (status <> 'PENDING' or not ${isCharged}) or announced = 'EXPIRED' and status = 'CANCELLED')
    for update of link skip locked`);

export const noteAnnounced = (tx: Tx, ids: readonly string[], end: Announced): void =>
  tx.send(sql`update one_time_payment set announced = ${end} where id = any(${ids}::uuid[])`);

/** Links whose end has been published, by id after this one. */
export const findAnnouncedLinksAfter = (queries: Queries, after: string, limit: number) =>
  queries.many<OneTimePaymentRow>(sql`
    select ${columns} from one_time_payment where id > ${after} and announced is not null order by id limit ${limit}`);

export const findAnnouncedLinks = (queries: Queries, ids: readonly string[]) =>
  queries.many<OneTimePaymentRow>(sql`
    select ${columns} from one_time_payment where id = any(${ids}::uuid[]) and announced is not null`);

export function listLinks(
  queries: Queries,
  filter: { organizationId: string; status: OneTimePayment['status'] | undefined; page: number; pageSize: number },
): Promise<{ count: number; rows: OneTimePaymentRow[] }> {
  const { organizationId, status, page, pageSize } = filter;
  return newestPage(queries, {
    table: oneTimePaymentTable,
    list: 'one_time_payment',
    owner: organizationId,
    from: sql`one_time_payment where organization_id = ${organizationId}`,
    kind: status === undefined ? sql`true` : sql`status = ${status}`,
    page,
    pageSize,
  });
}
