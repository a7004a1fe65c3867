import { newId } from '@cobro/contracts/ids.ts';
import type { PaymentStatus } from '@cobro/contracts/payments.ts';
import { allOf, type Queries, type Sql, sql, type Tx } from '@cobro/postgres/database.ts';
import { type PaymentRow, statusesBefore } from './payment.rules.ts';

const columns = sql`id, organization_id as "organizationId", payment_method_id as "paymentMethodId", type, source, status,
  hold_funds as "holdFunds", amount, held_amount as "heldAmount", currency, external_id as "externalId", description,
  operation_code as "operationCode", terms, rates, card, billing, bank_reference as "bankReference",
  capture_reference as "captureReference", decline_code as "declineCode", created_at as "createdAt",
  held_at as "heldAt", hold_expires_at as "holdExpiresAt", captured_at as "capturedAt",
  hold_released_at as "holdReleasedAt", refunded_at as "refundedAt", bank_transaction as "bankTransaction", version`;

export type NewPayment = Pick<
  PaymentRow,
  'organizationId' | 'type' | 'source' | 'holdFunds' | 'amount' | 'terms' | 'rates' | 'card' | 'billing' | 'createdAt'
> & { paymentMethodId: string; externalId: string | undefined; description: string | undefined };

/**
 * Writes a PENDING payment, or takes a NOT_INITIALIZED one with this externalId again. Undefined where the externalId is
 * taken: the unique index decides between requests that come at once.
 */
export const claimPayment = (tx: Tx, payment: NewPayment) =>
  tx.maybe<PaymentRow>(sql`
    insert into payment as p (id, organization_id, payment_method_id, type, source, status, hold_funds, amount, currency,
      external_id, description, terms, rates, card, billing, created_at)
    values (${newId(payment.createdAt.getTime())}, ${payment.organizationId}, ${payment.paymentMethodId}, ${payment.type},
      ${payment.source}, 'PENDING', ${payment.holdFunds}, ${payment.amount}, 'MXN', ${payment.externalId ?? null},
      ${payment.description ?? null}, ${payment.terms}, ${JSON.stringify(payment.rates)}::jsonb,
      ${JSON.stringify(payment.card)}::jsonb, ${JSON.stringify(payment.billing)}::jsonb, ${payment.createdAt})
    on conflict (organization_id, external_id) where external_id is not null and source = 'SAVED_CARD'
    do update set status = 'PENDING', payment_method_id = excluded.payment_method_id, hold_funds = excluded.hold_funds,
      amount = excluded.amount, description = excluded.description, rates = excluded.rates, card = excluded.card,
      billing = excluded.billing, created_at = excluded.created_at, version = p.version + 1
    where p.status = 'NOT_INITIALIZED'
    returning ${columns}`);

export const findPayment = (queries: Queries, organizationId: string, id: string) =>
  queries.maybe<PaymentRow>(sql`
    select ${columns} from payment where id = ${id} and organization_id = ${organizationId} and status <> 'NOT_INITIALIZED'`);

/** Locked until the transaction ends: one operation at a time begins here. */
export const lockPayment = (tx: Tx, id: string) =>
  tx.one<PaymentRow>(sql`select ${columns} from payment where id = ${id} for update`);

/** Also one that is NOT_INITIALIZED. */
export const lookAgain = (queries: Queries, id: string) =>
  queries.one<PaymentRow>(sql`select ${columns} from payment where id = ${id}`);

/** Also one that is NOT_INITIALIZED. */
export const findByExternalId = (queries: Queries, organizationId: string, externalId: string) =>
  queries.maybe<PaymentRow>(sql`
    select ${columns} from payment
    where organization_id = ${organizationId} and external_id = ${externalId} and source = 'SAVED_CARD'`);

/**
 * The one way from status to status: sets what the move brings, counts the version. Undefined where the payment is not in
 * a status from which it can come there.
 */
export const movePayment = (tx: Tx, id: string, to: PaymentStatus, changes: Sql = sql``) =>
  tx.maybe<PaymentRow>(sql`${move(id, to, changes)} returning ${columns}`);

/** The same where nobody asks whether the payment could come there. */
export const followMove = (tx: Tx, id: string, to: PaymentStatus, changes: Sql): void => tx.send(move(id, to, changes));

const move = (id: string, to: PaymentStatus, changes: Sql) => sql`
  update payment set status = ${to}, version = version + 1 ${changes}
  where id = ${id} and status = any(${statusesBefore(to)})`;

export async function listPayments(
  queries: Queries,
  filter: { paymentMethodId: string; status: PaymentStatus | undefined; page: number; pageSize: number },
): Promise<{ count: number; rows: PaymentRow[] }> {
  const where = allOf([
    sql`payment_method_id = ${filter.paymentMethodId}`,
    sql`status <> 'NOT_INITIALIZED'`,
    ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
  ]);
  const [total, rows] = await Promise.all([
    queries.one<{ count: number }>(sql`select count(*)::int as count from payment where ${where}`),
    queries.many<PaymentRow>(sql`
      select ${columns} from payment where ${where} order by created_at desc, id desc
      limit ${filter.pageSize} offset ${(filter.page - 1) * filter.pageSize}`),
  ]);
  return { count: total.count, rows };
}
