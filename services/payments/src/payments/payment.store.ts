import { mayBeSent } from '@cobro/bank/journal.store.ts';
import { subjectOf } from '@cobro/bank/subject.ts';
import type { BankTransaction } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { fieldNames } from '@cobro/contracts/payment-fields.ts';
import type { PaymentStatus } from '@cobro/contracts/payments.ts';
import { type Queries, type Sql, sql, type Tx } from '@cobro/postgres/database.ts';
import { whereUnavailable } from '@cobro/postgres/unavailable.ts';
import { isNotRevoked } from '../cards/payment-method.store.ts';
import { newestPage } from '../newest-page.ts';
import { type PaymentRow, paymentTable } from './payment.row.ts';
import { priceNow, statusAt } from '../payment-links/payment-link.store.ts';
import { statusesBefore } from './payment.rules.ts';

const columns = paymentTable.list;

export const paymentSubject = subjectOf('payment', 'id', paymentTable);
/** The columns that a claim writes. Postgres assigns the operation code. */
const claimed = [
  ...fieldNames.filter((name) => name !== 'operationCode'),
  'organizationId',
  'status',
  'holdFunds',
  'attemptDigest',
  'attemptId',
  'periodNumber',
] as const;
const claimedAgain = paymentTable.excluded(...claimed);
const inserting = paymentTable.inserting('id', ...claimed);
const insertingSelected = paymentTable.insertingSelected('id', ...claimed);

export type NewPayment = Omit<Parameters<typeof inserting>[0], 'id' | 'status'>;

// `room`: the payment is written only if its promotion, or none, is still the best that can be taken.

/**
 * Writes a PENDING payment of a saved card, or reuses a NOT_INITIALIZED one with this externalId. Writes none if the externalId is
 * taken or the card is revoked. Between simultaneous requests, the unique index decides.
 */
export const writingPaymentOfCard = (payment: NewPayment, room: Sql = TRUE): Sql => sql`
  insert into payment as p ${insertingSelected(pending(payment))} where ${isNotRevoked(payment.paymentMethodId)} and ${room}
  on conflict (organization_id, external_id) where external_id is not null and source = 'SAVED_CARD'
  do update set ${claimedAgain}, version = p.version + 1
  where p.status = 'NOT_INITIALIZED'
  returning ${columns}`;

/**
 * Writes a PENDING payment of a locked one-time payment. Writes none if that cannot be paid any more, another attempt is PENDING,
 * or this form was sent before.
 */
export const writingPaymentOfOneTimePayment = (
  payment: NewPayment,
  { linkId, attemptDigests, room = TRUE }: { linkId: string; attemptDigests: readonly Buffer[]; room: Sql | undefined },
): Sql => sql`
  insert into payment ${insertingSelected(pending(payment))}
  from one_time_payment as link
  where link.id = ${linkId} and link.status = 'PENDING' and link.expires_at > ${payment.createdAt} and ${room}
    and not exists (
      select from payment as other where other.one_time_payment_id = ${linkId} and (other.takes_source and other.status = 'PENDING'
        or other.attempt_digest = any(${attemptDigests}::bytea[]) and other.is_initialized))
  returning ${columns}`;

/**
 * Writes a PENDING payment of a locked payment link, or reuses a NOT_INITIALIZED one of this attempt. Writes none if the link
 * cannot be paid at this amount, or the attempt was made before.
 */
export const writingPaymentOfPaymentLink = (
  payment: NewPayment,
  { paymentLinkId, room = TRUE }: { paymentLinkId: string; room: Sql | undefined },
): Sql => sql`
  insert into payment as p ${insertingSelected(pending(payment))}
  from payment_link as link left join product on product.id = link.product_id
  where link.id = ${paymentLinkId} and ${statusAt(payment.createdAt)} = 'ACTIVE' and ${priceNow} = ${payment.amount} and ${room}
  on conflict (payment_link_id, attempt_id) where payment_link_id is not null
  do update set ${claimedAgain}, version = p.version + 1
  where p.status = 'NOT_INITIALIZED'
  returning ${columns}`;

/**
 * Writes a PENDING payment of a subscription's period, or reuses a NOT_INITIALIZED one. Writes none if the locked subscription has
 * changed since it was read or has a charge under way, if its card is revoked, or if the bank may have got this key. The unique
 * index decides between all who charge the period.
 */
export const writingPaymentOfPeriod = (
  payment: NewPayment,
  {
    subscription: { id, version },
    id: operationId,
    room = TRUE,
  }: { subscription: { id: string; version: number }; id: string; room: Sql | undefined },
): Sql => sql`
  insert into payment as p ${insertingSelected(pending(payment))}
  from subscription
  where subscription.id = ${id} and subscription.version = ${version} and ${mayBeSent(operationId)} and ${room}
    and ${isNotRevoked(payment.paymentMethodId)}
    and not exists (select from payment as other where other.subscription_id = ${id} and other.status = 'PENDING')
  on conflict (subscription_id, period_number) where subscription_id is not null and (takes_source or not is_initialized)
  do update set ${claimedAgain}, version = p.version + 1
  where p.status = 'NOT_INITIALIZED'
  returning ${columns}`;

/** Writes the PENDING payment of the first period of a subscription that the same statement writes as `origin`. */
export const writingFirstPayment = (payment: NewPayment): Sql => sql`
  insert into payment ${insertingSelected(pending(payment))} from origin returning ${columns}`;

/** The first payment of a subscription. Finds a NOT_INITIALIZED payment as well. */
export const findFirstPayment = (queries: Queries, subscriptionId: string) =>
  queries.maybe<PaymentRow>(sql`
    select ${columns} from payment where subscription_id = ${subscriptionId} and period_number = 1
    order by created_at, id limit 1`);

/** Moves a tapped card's payment from NOT_INITIALIZED to PENDING, with these rates. */
export const writingPaymentOfTap = (id: string, rates: PaymentRow['rates'], room: Sql = TRUE): Sql => sql`
  ${move(id, 'PENDING', sql`, ${paymentTable.setting({ rates })}`)} and ${room} returning ${columns}`;

const TRUE = sql`true`;

const pending = (payment: NewPayment) =>
  ({ ...payment, id: newId(payment.createdAt.getTime()), status: 'PENDING' }) as const;

/** Writes a payment of a card at a terminal, about which the bank has not been asked yet. Its id was chosen by intents. */
export const insertTapped = (tx: Tx, id: string, payment: NewPayment): void =>
  tx.send(sql`insert into payment ${inserting({ ...payment, id, status: 'NOT_INITIALIZED' })}`);

/** Finds payments in any status, in the order of their ids. */
export const findPaymentsAfter = (queries: Queries, id: string, limit: number) =>
  queries.many<PaymentRow>(sql`select ${columns} from payment where id > ${id} order by id limit ${limit}`);

export const findPaymentsOfIds = (queries: Queries, ids: readonly string[]) =>
  queries.many<PaymentRow>(sql`select ${columns} from payment where id = any(${ids}::uuid[])`);

/** Whether an operation's subject is a payment of this organization, and not a saved card. */
export const isPaymentOf = (organizationId: string): Sql => sql`
  exists (select from payment where payment.id = subject_id and organization_id = ${organizationId})`;

/** The payment that paid the intent. */
export const findPaymentOfIntent = (queries: Queries, organizationId: string, paymentIntentId: string) =>
  queries.maybe<PaymentRow>(sql`
    select ${columns} from payment
    where payment_intent_id = ${paymentIntentId} and organization_id = ${organizationId}
      and takes_source and status <> 'PENDING'`);

/** The latest payment made for the intent, in any status. */
export const findLatestOfIntent = (queries: Queries, paymentIntentId: string) =>
  queries.maybe<PaymentRow>(sql`
    select ${columns} from payment
    where payment_intent_id = ${paymentIntentId} and is_initialized
    order by created_at desc, id desc limit 1`);

export const findPayment = (queries: Queries, organizationId: string, id: string) =>
  queries.maybe<PaymentRow>(sql`
    select ${columns} from payment where id = ${id} and organization_id = ${organizationId} and is_initialized`);

/** Locks the payment until the transaction ends, so that only one operation at a time can begin. */
export const lockPayment = (tx: Tx, id: string) =>
  tx.one<PaymentRow>(sql`select ${columns} from payment where id = ${id} for update`);

/** A payment, and whether it has an open operation at the bank. */
export const findPaymentToRefund = (queries: Queries, id: string) =>
  queries.one<PaymentRow & { isBusy: boolean }>(sql`
    select ${columns}, exists (
      select from bank_operation where subject_id = payment.id and bank_operation.status = 'open') as "isBusy"
    from payment where id = ${id}`);

/** Finds a NOT_INITIALIZED payment as well. */
export const lookAgain = (queries: Queries, id: string) =>
  queries.one<PaymentRow>(sql`select ${columns} from payment where id = ${id}`);

/** The payment as an inquiry settled it; if the database is away, as claimed, because a 503 would say that nothing was sent. */
export const readSettled = (queries: Queries, known: PaymentRow): Promise<PaymentRow> =>
  lookAgain(queries, known.id).catch(whereUnavailable(known));

/** The one-time payment's PENDING payment. */
export const findOpenPaymentOfOneTimePayment = (queries: Queries, oneTimePaymentId: string) =>
  queries.maybe<PaymentRow>(sql`
    select ${columns} from payment where one_time_payment_id = ${oneTimePaymentId} and takes_source and status = 'PENDING'`);

/** The payment that an attempt to pay a payment link has made. Finds a NOT_INITIALIZED payment as well. */
export const findLinkAttempt = (queries: Queries, paymentLinkId: string, attemptId: string) =>
  queries.maybe<PaymentRow>(sql`
    select ${columns} from payment where payment_link_id = ${paymentLinkId} and attempt_id = ${attemptId}`);

/** What paid the one-time payment. */
export const findPaymentOfOneTimePayment = (queries: Queries, oneTimePaymentId: string) =>
  queries.maybe<PaymentRow>(sql`
    select ${columns} from payment
    where one_time_payment_id = ${oneTimePaymentId} and takes_source and status <> 'PENDING'`);

/** The payment that this form made with this card when it was sent before. */
export const findAttempt = (queries: Queries, oneTimePaymentId: string, attemptDigests: readonly Buffer[]) =>
  queries.maybe<PaymentRow>(sql`
    select ${columns} from payment
    where one_time_payment_id = ${oneTimePaymentId} and attempt_digest = any(${attemptDigests}::bytea[])
      and is_initialized`);

/** Finds a NOT_INITIALIZED payment as well. */
export const findByExternalId = (queries: Queries, organizationId: string, externalId: string) =>
  queries.maybe<PaymentRow>(sql`
    select ${columns} from payment
    where organization_id = ${organizationId} and external_id = ${externalId} and source = 'SAVED_CARD'`);

/** Cancels a locked payment for which the bank was not asked. Keeps the transaction, so that its event can be published again. */
export const cancelPayment = (tx: Tx, id: string, declineCode: string, transaction: BankTransaction) => {
  const changes = sql`, decline_code = ${declineCode}, bank_transaction = ${JSON.stringify(transaction)}::jsonb`;
  return tx.maybe<PaymentRow>(sql`${move(id, 'CANCELLED', changes)} returning ${columns}`);
};

/** Moves our copy of a hold. A copy that has this status already stays unchanged. */
export const followMove = (tx: Tx, id: string, to: PaymentStatus, changes: Sql): void => tx.send(move(id, to, changes));

/** Moves a payment outside a settlement, only from a status that allows the move. */
const move = (id: string, to: PaymentStatus, changes: Sql) => sql`
  update payment set status = ${to}, version = version + 1 ${changes}
  where id = ${id} and status = any(${statusesBefore(to)})`;

interface PaymentsPage {
  status: PaymentStatus | undefined;
  page: number;
  pageSize: number;
}

export const listPayments = (
  queries: Queries,
  { paymentMethodId, ...page }: PaymentsPage & { paymentMethodId: string },
) => listOf(queries, paymentMethodId, sql`payment_method_id = ${paymentMethodId}`, page);

export const listPaymentsOfPaymentLink = (
  queries: Queries,
  { paymentLinkId, ...page }: PaymentsPage & { paymentLinkId: string },
) => listOf(queries, paymentLinkId, sql`payment_link_id = ${paymentLinkId}`, page);

const listOf = (queries: Queries, owner: string, isOwners: Sql, { status, page, pageSize }: PaymentsPage) =>
  newestPage(queries, {
    table: paymentTable,
    list: 'payment',
    owner,
    from: sql`payment where ${isOwners} and is_initialized`,
    kind: status === undefined ? sql`true` : sql`status = ${status}`,
    page,
    pageSize,
  });
