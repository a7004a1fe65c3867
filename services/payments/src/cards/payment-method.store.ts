import { subjectOf } from '@cobro/bank/subject.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { type Queries, sql, type Sql, type Tx } from '@cobro/postgres/database.ts';
import { type Pricing, pricing, type StoredPricing } from '../fees/fee-channel.store.ts';
import { newestPage } from '../newest-page.ts';
import { readPromotions } from '../promotions/promotion-in-force.ts';
import { type PaymentMethodRow, paymentMethodTable } from './payment-method.row.ts';

const columns = paymentMethodTable.list;

export const paymentMethodSubject = subjectOf('payment_method', 'id', paymentMethodTable);
const inserting = paymentMethodTable.inserting(
  'id',
  'organizationId',
  'acquirer',
  'externalId',
  'status',
  'fingerprint',
  'lastFourDigits',
  'network',
  'fundingSource',
  'issuingBank',
  'expirationMonth',
  'expirationYear',
  'billing',
  'createdAt',
);

/** The values of a card that the vault has not taken yet. */
const UNKNOWN = { network: 'UNKNOWN', fundingSource: 'UNKNOWN', issuingBank: 'UNKNOWN' };

export type NewPaymentMethod = Omit<Parameters<typeof inserting>[0], 'id' | 'status' | keyof typeof UNKNOWN>;

/** Writes a PENDING card, or none if a card that is not revoked has this externalId. */
export const writingPaymentMethod = (method: NewPaymentMethod): Sql => sql`
  insert into payment_method ${inserting({
    ...method,
    ...UNKNOWN,
    id: newId(method.createdAt.getTime()),
    status: 'PENDING',
  })}
  on conflict (organization_id, external_id) where external_id is not null and status <> 'REVOKED' do nothing
  returning ${columns}`;

export const findPaymentMethod = (queries: Queries, organizationId: string, id: string) =>
  queries.maybe<PaymentMethodRow>(sql`
    select ${columns} from payment_method where id = ${id} and organization_id = ${organizationId}`);

/** Reads what a charge needs first: the card, its organization's fee channels, and its promotions in force at `at`. */
export async function findMethodToCharge(
  queries: Queries,
  organizationId: string,
  { id, at }: { id: string; at: Date },
): Promise<(PaymentMethodRow & Pricing) | undefined> {
  const found = await queries.maybe<PaymentMethodRow & StoredPricing>(sql`
    select ${columns}, ${pricing(organizationId, at)}
    from payment_method where id = ${id} and organization_id = ${organizationId}`);
  return found && { ...found, promotions: readPromotions(found.promotions) };
}

/** A claim's condition on its card, so that no charge begins after the 200 of its revocation. */
export const isNotRevoked = (id: string | null): Sql => sql`
  exists (select from payment_method where payment_method.id = ${id} and payment_method.status = 'ACTIVE')`;

export const findMethodByExternalId = (queries: Queries, organizationId: string, externalId: string) =>
  queries.maybe<PaymentMethodRow>(sql`
    select ${columns} from payment_method
    where organization_id = ${organizationId} and external_id = ${externalId} and status <> 'REVOKED'`);

/** Returns undefined if the card was revoked before. */
export const revokePaymentMethod = (tx: Tx, id: string) =>
  tx.maybe<PaymentMethodRow>(sql`
    update payment_method set status = 'REVOKED', version = version + 1
    where id = ${id} and status <> 'REVOKED' returning ${columns}`);

/**
 * Deletes a card that the bank did not take, unless its merchant revoked it meanwhile (another version) or its call timed out: then
 * a repeated request may have got a 202 that points to it.
 */
export const forgetPaymentMethod = (
  queries: Queries,
  { id, version }: Pick<PaymentMethodRow, 'id' | 'version'>,
  callTimeoutMs: number,
) =>
  queries.run(sql`
    delete from payment_method
    where id = ${id} and status = 'REVOKED' and version = ${version} and exists (
      select from bank_operation
      where subject_id = payment_method.id and settled_at < claimed_at + ${callTimeoutMs} * interval '1 ms')`);

/** An organization's cards, and the condition of each status in this month. */
export function cardsByStatus(organizationId: string, monthNow: number) {
  const inForce = sql`expiry_month >= ${monthNow}`;
  return {
    table: paymentMethodTable,
    from: sql`payment_method where organization_id = ${organizationId}`,
    statuses: {
      ACTIVE: sql`status = 'ACTIVE' and ${inForce}`,
      EXPIRED: sql`status = 'ACTIVE' and not ${inForce}`,
      PENDING: sql`status = 'PENDING'`,
      REVOKED: sql`status = 'REVOKED'`,
    },
  };
}

export function listPaymentMethods(
  queries: Queries,
  filter: {
    organizationId: string;
    status: 'PENDING' | 'ACTIVE' | 'EXPIRED' | 'REVOKED' | undefined;
    monthNow: number;
    page: number;
    pageSize: number;
  },
): Promise<{ count: number; rows: PaymentMethodRow[] }> {
  const { organizationId, status, page, pageSize } = filter;
  const { table, from, statuses } = cardsByStatus(organizationId, filter.monthNow);
  return newestPage(queries, {
    table,
    list: 'payment_method',
    owner: organizationId,
    from,
    kind: status === undefined ? sql`true` : statuses[status],
    page,
    pageSize,
  });
}

/** Marks cards whose last month was `lastMonth` as announced, and returns them. */
export const noteExpiryOfCards = (tx: Tx, lastMonth: number, most: number) =>
  tx.many<PaymentMethodRow>(sql`
    update payment_method set expiry_announced = true
    where id = any(array(
      select id from payment_method where status = 'ACTIVE' and not expiry_announced and expiry_month = ${lastMonth}
      limit ${most} for update skip locked))
    returning ${columns}`);

/** Replaces the card's fingerprint by one made with another key. */
export const replaceFingerprint = (queries: Queries, { id, fingerprint }: PaymentMethodRow, by: Buffer) =>
  queries.run(sql`update payment_method set fingerprint = ${by} where id = ${id} and fingerprint = ${fingerprint}`);

export interface SealedCard {
  id: string;
  sealedToken: Buffer;
}

/** Lists a page of cards that have a token, by id after this one. */
export const listSealedCards = (queries: Queries, after: string, page: number) =>
  queries.many<SealedCard>(sql`
    select id, sealed_token as "sealedToken" from payment_method
    where id > ${after} and sealed_token is not null order by id limit ${page}`);

export interface ResealedCard extends SealedCard {
  /** The same token, sealed by another key. */
  by: Buffer;
}

/** Stores tokens that were sealed anew, except of cards that have changed since they were read. Returns how many were stored. */
export const replaceSealedTokens = (queries: Queries, cards: readonly ResealedCard[]) =>
  queries.run(sql`
    update payment_method set sealed_token = made.anew
    from unnest(
      ${cards.map(({ id }) => id)}::uuid[], ${cards.map(({ sealedToken }) => sealedToken)}::bytea[],
      ${cards.map(({ by }) => by)}::bytea[]) as made (id, was, anew)
    where payment_method.id = made.id and sealed_token = made.was`);
