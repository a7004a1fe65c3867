import { type Queries, sql, type Sql, type Tx } from '@cobro/postgres/database.ts';
import { type EndpointRow, endpointTable } from './endpoint.row.ts';

const columns = endpointTable.list;
const inserting = endpointTable.inserting(
  'id',
  'organizationId',
  'url',
  'types',
  'description',
  'sealedSecret',
  'createdAt',
);

/** Transactions that add an endpoint to one organization wait for each other. */
export const lockEndpointsOf = (tx: Tx, organizationId: string): void =>
  tx.send(sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 0))`);

export async function isMadeSince(
  tx: Tx,
  { organizationId, url, types }: Pick<EndpointRow, 'organizationId' | 'url' | 'types'>,
  since: Date,
): Promise<boolean> {
  const row = await tx.maybe(sql`
    select from webhook_endpoint
    where organization_id = ${organizationId} and url = ${url} and types = ${types}::text[] and created_at > ${since} limit 1`);
  return row !== undefined;
}

/** Returns undefined if the organization, which is locked, has `most` already. */
export async function insertEndpoint(
  tx: Tx,
  endpoint: Parameters<typeof inserting>[0],
  most: number,
): Promise<EndpointRow | undefined> {
  const { organizationId } = endpoint;
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*)::int as count from webhook_endpoint where organization_id = ${organizationId}`);
  if (count >= most) return undefined;
  return tx.one<EndpointRow>(sql`insert into webhook_endpoint ${inserting(endpoint)} returning ${columns}`);
}

export const listEndpoints = (queries: Queries, organizationId: string) =>
  queries.many<EndpointRow>(sql`
    select ${columns} from webhook_endpoint where organization_id = ${organizationId} order by created_at desc, id desc`);

export const findEndpoint = (queries: Queries, organizationId: string, id: string) =>
  queries.maybe<EndpointRow>(sql`
    select ${columns} from webhook_endpoint where id = ${id} and organization_id = ${organizationId}`);

/** The lock lets deliveries be inserted: their transaction holds the position lock, which an event about this endpoint needs. */
export const lockEndpoint = (tx: Tx, organizationId: string, id: string) =>
  tx.maybe<EndpointRow>(sql`
    select ${columns} from webhook_endpoint where id = ${id} and organization_id = ${organizationId} for no key update`);

/** Undefined if the endpoint is gone. */
export const changeEndpoint = (queries: Queries, id: string, changes: Partial<EndpointRow>) =>
  queries.maybe<EndpointRow>(sql`
    update webhook_endpoint set ${endpointTable.setting(changes)} where id = ${id} returning ${columns}`);

/** Updates no row if more must change: the endpoint is no longer enabled, or was failing. `givenUpBy`: the sender that ends its lease. */
export const notingDelivery = (id: string, now: Date, givenUpBy: number | null): Sql => sql`
  update webhook_endpoint set last_delivery_at = ${now}, leased_by = nullif(leased_by, ${givenUpBy}::int)
  where id = ${id} and status = 'ENABLED' and failing_since is null returning ${columns}`;

export const deleteEndpoint = (queries: Queries, organizationId: string, id: string) =>
  queries.run(sql`delete from webhook_endpoint where id = ${id} and organization_id = ${organizationId}`);

/**
 * Leases endpoints with due deliveries to this sender, least recently taken first; also those that work again, because what waits
 * there is due at once. A sender that is gone no longer holds the lock of its number. `held`: endpoints at which this sender works;
 * others with its number were left behind by a failed statement. `without`: organizations that have enough under way here.
 */
export const leaseEndpoints = (
  queries: Queries,
  {
    sender,
    held,
    now,
    without,
    most,
  }: { sender: number; held: readonly string[]; now: Date; without: readonly string[]; most: number },
) =>
  queries.many<EndpointRow>(sql`
    update webhook_endpoint set leased_by = ${sender}, taken_at = clock_timestamp()
    where id = any(array(
      select id from webhook_endpoint as candidate
      where status = 'ENABLED' and organization_id <> all(${without}::uuid[]) and id <> all(${held}::uuid[])
        and (recovered_at is not null or exists (
          select from delivery
          where endpoint_id = candidate.id and delivery.status = 'PENDING' and next_attempt_at <= ${now}))
        and (leased_by is null or leased_by = ${sender} or pg_try_advisory_xact_lock('webhook_endpoint'::regclass::oid::int, leased_by))
      order by taken_at nulls first limit ${most} for update skip locked))
    returning ${columns}`);

export const endingLease = (id: string, sender: number): Sql =>
  sql`update webhook_endpoint set leased_by = null where id = ${id} and leased_by = ${sender}`;

/** A page of sealed secrets, in order of id, after this id. */
export const listSealedSecrets = (queries: Queries, after: string, page: number) =>
  queries.many<Pick<EndpointRow, 'id' | 'sealedSecret' | 'sealedOldSecret'>>(sql`
    select id, sealed_secret as "sealedSecret", sealed_old_secret as "sealedOldSecret" from webhook_endpoint
    where id > ${after} order by id limit ${page}`);

/** Replaces a sealed secret by the same secret sealed anew, unless it has changed since it was read. */
export const replaceSealedSecret = (queries: Queries, id: string, was: Buffer, by: Buffer) =>
  queries.run(sql`
    update webhook_endpoint
    set sealed_secret = case when sealed_secret = ${was} then ${by} else sealed_secret end,
      sealed_old_secret = case when sealed_old_secret = ${was} then ${by} else sealed_old_secret end
    where id = ${id}`);
