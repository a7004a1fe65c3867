import { developerPaymentStatuses } from '@cobro/contracts/developer-payments.ts';
import { type PaymentFacts, storedTransaction } from '@cobro/contracts/events.ts';
import { paymentTypes } from '@cobro/contracts/payment-fields.ts';
import type { Disbursement } from '@cobro/domain/fees.ts';
import { allOf, ifAsked, type Queries, type Sql, sql, type Tx } from '@cobro/postgres/database.ts';
import type { Position } from '@cobro/service-kit/list-cursor.ts';
import { madeColumns, type PaymentRow, paymentTable } from './payment.row.ts';
import { inNumbers } from './payment.rules.ts';

/** A payment's first outcome. A confirmed charge comes with its disbursement, as its money has moved. */
export interface Outcome {
  confirmedAt?: Date;
  declinedAt?: Date;
  declineCode?: string;
  heldAt?: Date;
  holdExpiresAt?: Date;
  captureBefore?: Date | null;
  disbursement?: Disbursement | undefined;
}

export const shown = paymentTable.list;

const outcomes = [
  'confirmedAt',
  'declinedAt',
  'declineCode',
  'heldAt',
  'holdExpiresAt',
  'captureBefore',
  'disbursement',
] as const;
const listedNow = { listedAt: 'clock_timestamp()' };
const insertingMade = paymentTable.insertingWith(listedNow, 'id', 'organizationId', ...madeColumns, ...outcomes);
const madeAgain = paymentTable.excluded(...madeColumns);
const filledOnce = paymentTable.filled('payment', 'listedAt', ...outcomes);

/** Records the event of a payment's making. If it comes again, its facts are rewritten, and only missing outcomes are filled. */
export function recordMade(tx: Tx, facts: PaymentFacts, outcome: Outcome): void {
  const row = {
    ...facts,
    ...facts.card,
    id: facts.paymentId,
    placedAmount: facts.amount,
    transaction: storedTransaction(facts.transaction),
    confirmedAt: outcome.confirmedAt ?? null,
    declinedAt: outcome.declinedAt ?? null,
    declineCode: outcome.declineCode ?? null,
    heldAt: outcome.heldAt ?? null,
    holdExpiresAt: outcome.holdExpiresAt ?? null,
    captureBefore: outcome.captureBefore ?? null,
    disbursement: outcome.disbursement === undefined ? null : inNumbers(outcome.disbursement),
  };
  tx.send(sql`insert into payment ${insertingMade(row)} on conflict (id) do update set ${madeAgain}, ${filledOnce}`);
}

/** Facts about a payment from one event. */
type Facts<K extends keyof PaymentRow> = Pick<PaymentRow, 'id' | 'organizationId' | K>;

/** Makes a statement that writes facts once, whether or not the payment's row exists. */
function recording<K extends keyof PaymentRow>(...facts: K[]): (row: Facts<K>) => Sql {
  const inserting = paymentTable.inserting<'id' | 'organizationId' | K>('id', 'organizationId', ...facts);
  const filled = paymentTable.filled('payment', ...facts);
  return (row) => sql`insert into payment ${inserting(row)} on conflict (id) do update set ${filled}`;
}

const captured = recording('capturedAt', 'capturedAmount', 'captureTransaction', 'disbursement');
const released = recording('releasedAt');
const expired = recording('expiredAt');
const refunded = recording('refundedAt');

type Capture = Facts<'capturedAt' | 'capturedAmount' | 'captureTransaction'> & { disbursement: Disbursement };

export const recordCaptured = (tx: Tx, { disbursement, ...capture }: Capture): void =>
  tx.send(captured({ ...capture, disbursement: inNumbers(disbursement) }));

export const recordReleased = (tx: Tx, end: Facts<'releasedAt'>): void => tx.send(released(end));
export const recordExpired = (tx: Tx, end: Facts<'expiredAt'>): void => tx.send(expired(end));
export const recordRefunded = (tx: Tx, end: Facts<'refundedAt'>): void => tx.send(refunded(end));

export function findPayment(queries: Queries, organizationId: string, id: string): Promise<PaymentRow | undefined> {
  return queries.maybe<PaymentRow>(sql`
    select ${shown} from payment
    where id = ${id} and organization_id = ${organizationId} and status is not null`);
}

/** When money moved: a charge when the bank approved it, a hold when it was captured. */
export const settledAt = sql`coalesce(captured_at, confirmed_at)`;

/** The filters of the merchant's lists. An undefined filter excludes nothing. Times are inclusive. */
export interface PaymentFilters {
  status?: PaymentRow['status'][] | undefined;
  type?: PaymentRow['type'] | undefined;
  operationCode?: number | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  paymentMethodId?: string | undefined;
  oneTimePaymentId?: string | undefined;
  paymentIntentId?: string | undefined;
  paymentLinkId?: string | undefined;
  subscriptionId?: string | undefined;
  source?: PaymentRow['source'] | undefined;
  /** Centavos, both included. */
  amountFrom?: bigint | undefined;
  amountTo?: bigint | undefined;
  issuingBank?: string | undefined;
  terms?: number | undefined;
  lastFourDigits?: string | undefined;
  externalId?: string | undefined;
  /** In lower case. */
  email?: string | undefined;
  /** Limits when money moved (settled) and when it went back (refunded). */
  settledFrom?: Date | undefined;
  settledTo?: Date | undefined;
  refundedFrom?: Date | undefined;
  refundedTo?: Date | undefined;
  salespersonId?: string | undefined;
  branchId?: string | undefined;
  terminalId?: string | undefined;
}

export type ListedPayment = PaymentRow & { walkBegan: string };

interface DeveloperList {
  organizationId: string;
  filters: PaymentFilters;
  after: Position | undefined;
  limit: number;
}

/**
 * Newest first. After a position: only rows that follow it and were listed at the first page. Merges the newest of each status
 * and type by their index, because a filter would read the whole list to find rare rows.
 */
export function findPayments(queries: Queries, list: DeveloperList): Promise<ListedPayment[]> {
  const { organizationId, filters, after, limit } = list;
  const { status, type, operationCode, from, to, oneTimePaymentId, paymentMethodId, paymentIntentId } = filters;
  const {
    paymentLinkId,
    subscriptionId,
    source,
    amountFrom,
    amountTo,
    issuingBank,
    terms,
    lastFourDigits,
    externalId,
    email,
  } = filters;
  const { settledFrom, settledTo, refundedFrom, refundedTo, salespersonId, branchId, terminalId } = filters;
  const oneAmount = amountFrom === amountTo ? amountFrom : undefined;
  const asked = allOf([
    ifAsked(source, sql`source = ${source}`),
    ifAsked(oneAmount, sql`amount = ${oneAmount}`),
    ifAsked(oneAmount === undefined ? amountFrom : undefined, sql`amount >= ${amountFrom}`),
    ifAsked(oneAmount === undefined ? amountTo : undefined, sql`amount <= ${amountTo}`),
    ifAsked(issuingBank, sql`issuing_bank = ${issuingBank}`),
    ifAsked(terms, sql`terms = ${terms}`),
    ifAsked(lastFourDigits, sql`last_four_digits = ${lastFourDigits}`),
    ifAsked(externalId, sql`external_id = ${externalId}`),
    ifAsked(email, sql`lower(billing ->> 'email') = ${email}`),
    ifAsked(settledFrom, sql`${settledAt} >= ${settledFrom}`),
    ifAsked(settledTo, sql`${settledAt} <= ${settledTo}`),
    ifAsked(refundedFrom, sql`status = 'REFUNDED' and refunded_at >= ${refundedFrom}`),
    ifAsked(refundedTo, sql`refunded_at <= ${refundedTo}`),
    ifAsked(operationCode, sql`operation_code = ${operationCode}`),
    ifAsked(from, sql`created_at >= ${from}`),
    ifAsked(to, sql`created_at <= ${to}`),
    ifAsked(paymentMethodId, sql`payment_method_id = ${paymentMethodId}`),
    ifAsked(oneTimePaymentId, sql`one_time_payment_id = ${oneTimePaymentId}`),
    ifAsked(paymentIntentId, sql`payment_intent_id = ${paymentIntentId}`),
    ifAsked(salespersonId, sql`salesperson_id = ${salespersonId}`),
    ifAsked(branchId, sql`branch_id = ${branchId}`),
    ifAsked(terminalId, sql`terminal_id = ${terminalId}`),
    ifAsked(paymentLinkId, sql`payment_link_id = ${paymentLinkId}`),
    ifAsked(subscriptionId, sql`subscription_id = ${subscriptionId}`),
    ifAsked(after, sql`(created_at, id) < (${after?.createdAt}, ${after?.id})`),
    ifAsked(after, sql`listed_at <= ${after?.walkBegan}`),
  ]);
  const newestOf = (kind: Sql) => sql`
        select id as page_id, created_at as page_time from payment
        where organization_id = ${organizationId} and ${kind} and ${asked}
        order by created_at desc, id desc
        limit ${limit}`;
  const merged = sql`
      select page_id from unnest(${status ?? developerPaymentStatuses}::text[]) as one (of_status)
      cross join unnest(${type ? [type] : paymentTypes}::text[]) as other (of_type)
      cross join lateral (${newestOf(sql`status = of_status and type = of_type`)}) as newest
      order by page_time desc, page_id desc
      limit ${limit}`;
  // The index of amounts already has one amount's payments in list order.
  const isInOrder = oneAmount !== undefined && status === undefined && type === undefined;
  return queries.many<ListedPayment>(sql`
    select ${shown}, statement_timestamp()::text as "walkBegan" from (
      ${isInOrder ? newestOf(sql`status is not null`) : merged}
    ) as page
    join payment on id = page_id
    order by created_at desc, id desc`);
}
