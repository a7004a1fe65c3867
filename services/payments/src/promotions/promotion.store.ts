import type { PromotionStatus } from '@cobro/domain/promotions.ts';
import { type Queries, sql, type Sql, type Tx } from '@cobro/postgres/database.ts';
import { type PromotionRow, promotionTable } from './promotion.row.ts';

const columns = promotionTable.list;
const inserting = promotionTable.inserting(
  'id',
  'organizationId',
  'externalId',
  'requestDigest',
  'name',
  'feeDiscountBps',
  'businessTakeBps',
  'terms',
  'types',
  'networks',
  'issuingBanks',
  'productIds',
  'minimumAmount',
  'maxPayments',
  'partnerId',
  'partnerName',
  'startsAt',
  'endsAt',
  'acceptedAt',
  'createdAt',
  'updatedAt',
);

export async function insertPromotion(tx: Tx, promotion: Parameters<typeof inserting>[0]): Promise<PromotionRow> {
  await tx.run(sql`insert into promotion ${inserting(promotion)}`);
  return { ...promotion, endedAt: null, announced: null, paymentsCount: 0n };
}

export const findPromotionByExternalId = (queries: Queries, organizationId: string, externalId: string) =>
  queries.maybe<PromotionRow>(sql`
    select ${columns} from promotion_with_count where organization_id = ${organizationId} and external_id = ${externalId}`);

/** Counts the organization's promotions that have not ended. */
export const countNotEnded = (queries: Queries, organizationId: string, now: Date) =>
  queries.one<{ count: number }>(sql`
    select count(*)::int as count from promotion
    where organization_id = ${organizationId} and ended_at is null and ends_at > ${now}`);

/** Limits the query to the caller's promotions: a merchant's organization or a sponsor's partner; an operator sees all. */
export type OwnerOfPromotion = { organizationId: string } | { partnerId: string } | 'anybody';
const ownedBy = (owner: OwnerOfPromotion): Sql =>
  owner === 'anybody'
    ? sql`true`
    : 'partnerId' in owner
      ? sql`partner_id = ${owner.partnerId}`
      : sql`organization_id = ${owner.organizationId}`;

export const findPromotion = (queries: Queries, owner: OwnerOfPromotion, id: string) =>
  queries.maybe<PromotionRow & { organizationName: string }>(sql`
    select ${columns}, ${organizationName} from promotion_with_count where id = ${id} and ${ownedBy(owner)}`);

/** Locks the promotion until the transaction ends, so that accepting, ending and counted payments take turns. */
export function lockPromotion(tx: Tx, owner: OwnerOfPromotion, id: string) {
  tx.send(sql`select id from promotion where id = ${id} and ${ownedBy(owner)} for no key update`);
  return findPromotion(tx, owner, id);
}

const organizationName = sql`
  (select name from organization where organization.id = organization_id) as "organizationName"`;

/** Locks promotions whose acceptance or end was not published. */
export async function lockUnannounced(tx: Tx, now: Date, most: number): Promise<PromotionRow[]> {
  const locked = await tx.many<{ id: string }>(sql`
    select id from promotion where id = any(${unannounced(now, most)}) order by id for no key update`);
  const ids = locked.map(({ id }) => id);
  // Asks again, because another process may have published one while this one waited for its lock.
  return tx.many<PromotionRow>(sql`
    select ${columns} from promotion_with_count
    where id = any(${ids}::uuid[]) and id = any(${unannounced(now, most)}) order by id`);
}

const unannounced = (now: Date, most: number): Sql => sql`array(
  (select id from promotion where announced is null and fee_discount_bps > 0 and accepted_at is not null
   order by accepted_at limit ${most})
  union
  (select id from promotion where announced is distinct from 'ENDED' and least(ended_at, ends_at) <= ${now}
   order by least(ended_at, ends_at) limit ${most}))`;

export const noteAnnounced = (tx: Tx, id: string, announced: NonNullable<PromotionRow['announced']>): void =>
  tx.send(sql`update promotion set announced = ${announced} where id = ${id}`);

/** Promotions whose acceptance or end was published, by id after this one. */
export const findAnnouncedAfter = (queries: Queries, after: string, limit: number) =>
  queries.many<PromotionRow>(sql`
    select ${columns} from promotion_with_count where id > ${after} and announced is not null order by id limit ${limit}`);
export const findAnnounced = (queries: Queries, ids: readonly string[]) =>
  queries.many<PromotionRow>(sql`
    select ${columns} from promotion_with_count where id = any(${ids}::uuid[]) and announced is not null`);

export const noteAccepted = (tx: Tx, id: string, at: Date): void =>
  tx.send(sql`update promotion set accepted_at = ${at}, updated_at = ${at} where id = ${id}`);

export const noteEnded = (tx: Tx, id: string, at: Date): void =>
  tx.send(sql`update promotion set ended_at = ${at}, updated_at = ${at} where id = ${id}`);

/** Ends the promotions of the organization's earlier sponsors, which the present one has not promised. */
export const endOfOtherSponsors = (tx: Tx, organizationId: string, partnerId: string | null, at: Date): void =>
  tx.send(sql`
    with locked as (
      select id from promotion
      where organization_id = ${organizationId} and ended_at is null and ends_at > ${at}
        and partner_id is distinct from ${partnerId}::uuid
      order by id for no key update
    )
    update promotion set ended_at = ${at}, updated_at = ${at} from locked where promotion.id = locked.id`);

/** The same rule as promotionStatus. */
const statusAt = (now: Date): Sql => sql`
  case when ended_at is not null or ends_at <= ${now} then 'ENDED' when accepted_at is null then 'PENDING'
    when starts_at > ${now} then 'SCHEDULED' else 'ACTIVE' end`;

/** An organization's promotions, and the condition of each status. */
export const promotionsByStatus = (organizationId: string, now: Date) => {
  const is = (status: PromotionStatus) => sql`${statusAt(now)} = ${status}`;
  return {
    table: promotionTable,
    from: sql`promotion_with_count where organization_id = ${organizationId}`,
    statuses: { PENDING: is('PENDING'), SCHEDULED: is('SCHEDULED'), ACTIVE: is('ACTIVE'), ENDED: is('ENDED') },
  };
};

export interface PromotionFilters {
  owner: OwnerOfPromotion;
  organizationIds?: readonly string[] | undefined;
  statuses: readonly PromotionStatus[] | undefined;
  now: Date;
}

/** Reads a page, newest first, and counts all of them: an organization has fifty at once, and few in its life. */
export async function listPromotions(
  queries: Queries,
  { owner, organizationIds, statuses, now }: PromotionFilters,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ count: number; rows: (PromotionRow & { organizationName: string })[] }> {
  const where = sql`${ownedBy(owner)}
    and (${organizationIds === undefined}::boolean or organization_id = any(${organizationIds ?? []}::uuid[]))
    and (${statuses === undefined}::boolean or ${statusAt(now)} = any(${statuses ?? []}::text[]))`;
  const { count } = await queries.one<{ count: number }>(sql`
    select count(*)::int as count from promotion where ${where}`);
  const rows = await queries.many<PromotionRow & { organizationName: string }>(sql`
    select ${columns}, ${organizationName} from promotion_with_count where ${where}
    order by created_at desc, id desc offset ${offset}::bigint limit ${limit}::bigint`);
  return { count, rows };
}

/**
 * Adds at most `most` rows of promotion_use to their promotions, and returns how many. One process at a time, because two would
 * wait for each other's promotions.
 */
export const foldUses = (tx: Tx, most: number) =>
  tx.one<{ folded: number }>(sql`
    with mine as (
      select pg_try_advisory_xact_lock(hashtextextended(current_schema() || '.promotion_use', 0)) as alone
    ), taken as (
      delete from promotion_use
      where ctid = any(array(select ctid from promotion_use where (select alone from mine) limit ${most}))
      returning promotion_id, change
    ), summed as (
      select promotion_id, sum(change) as change from taken group by promotion_id
    ), locked as (
      select id from promotion where id in (select promotion_id from summed) order by id for no key update
    ), added as (
      update promotion set counted = counted + summed.change from summed join locked on locked.id = promotion_id
      where promotion.id = promotion_id
    )
    select count(*)::int as folded from taken`);

/** Counts what foldUses has not added yet. */
export const countUses = (queries: Queries) =>
  queries.one<{ count: number }>(sql`select count(*)::int as count from promotion_use`);

/** The organizations of a partner, and those whose promotions it has sponsored. */
export const findSponsored = (queries: Queries, partnerId: string) =>
  queries.many<{ id: string }>(sql`
    select id from organization where partner_id = ${partnerId}
    union select organization_id from promotion where partner_id = ${partnerId}`);
