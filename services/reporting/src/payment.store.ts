import type { BankTransaction, PaymentFacts } from '@cobro/contracts/events.ts';
import type { Disbursement, FeeRates } from '@cobro/domain/fees.ts';
import { allOf, type Queries, type Sql, sql, type Tx } from '@cobro/postgres/database.ts';
import type { Position } from './cursor.ts';
import type { PaymentRow } from './payment.rules.ts';

/** How a payment was made. A confirmed charge comes with its disbursement, because its money has moved. */
export interface Outcome {
  confirmedAt?: Date;
  declinedAt?: Date;
  heldAt?: Date;
  holdExpiresAt?: Date;
  disbursement?: Disbursement | undefined;
}

/**
 * What a captured hold's disbursement is computed from. Each field is null until its event has come: the capture for the amount,
 * the placing for the rates.
 */
export interface CaptureTerms {
  capturedAmount: bigint | null;
  rates: FeeRates | null;
}

/** The columns of a PaymentRow. */
export const shown = sql`
  id, organization_id as "organizationId", status, amount, currency, created_at as "createdAt", type, source,
  operation_code as "operationCode", external_id as "externalId", placed_amount as "placedAmount", terms, rates,
  last_four_digits as "lastFourDigits", network, funding_source as "fundingSource", issuing_bank as "issuingBank",
  entry_mode as "entryMode", billing, payment_method_id as "paymentMethodId",
  one_time_payment_id as "oneTimePaymentId", payment_intent_id as "paymentIntentId",
  terminal_id as "terminalId", salesperson_id as "salespersonId", branch_id as "branchId",
  coalesce(capture_transaction, transaction) as transaction, confirmed_at as "confirmedAt", held_at as "heldAt",
  hold_expires_at as "holdExpiresAt", captured_at as "capturedAt", released_at as "releasedAt",
  expired_at as "expiredAt", refunded_at as "refundedAt", disbursement`;

const captureTerms = sql`captured_amount as "capturedAmount", rates`;

const json = (value: object | null) => value && JSON.stringify(value);

const inNumbers = (amounts: object | null | undefined) =>
  amounts && JSON.stringify(amounts, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));

/** Records all that the event of a payment's making tells, and the outcome. What earlier events told is kept. */
export const recordMade = (tx: Tx, facts: PaymentFacts, outcome: Outcome): void => tx.send(making(facts, outcome));

/** Like `recordMade` for a hold, whose capture may have been told before. */
export const recordHeld = (tx: Tx, facts: PaymentFacts, outcome: Outcome): Promise<CaptureTerms> =>
  tx.one<CaptureTerms>(sql`${making(facts, outcome)} returning ${captureTerms}`);

function making(facts: PaymentFacts, outcome: Outcome): Sql {
  const { card, rates } = facts;
  const { confirmedAt, declinedAt, heldAt, holdExpiresAt, disbursement } = outcome;
  return sql`
    insert into payment (
      id, organization_id, created_at, listed_at, type, source, operation_code, external_id, currency, placed_amount,
      terms, rates, last_four_digits, network, funding_source, issuing_bank, entry_mode, billing, payment_method_id,
      one_time_payment_id, payment_intent_id, terminal_id, salesperson_id, branch_id, transaction, confirmed_at, declined_at, held_at, hold_expires_at,
      disbursement
    ) values (
      ${facts.paymentId}, ${facts.organizationId}, ${facts.createdAt}, clock_timestamp(), ${facts.type}, ${facts.source},
      ${facts.operationCode}, ${facts.externalId}, ${facts.currency}, ${facts.amount}, ${facts.terms},
      ${inNumbers(rates)}, ${card.lastFourDigits}, ${card.network}, ${card.fundingSource},
      ${card.issuingBank}, ${card.entryMode}, ${json(facts.billing)}, ${facts.paymentMethodId},
      ${facts.oneTimePaymentId}, ${facts.paymentIntentId}, ${facts.terminalId}, ${facts.salespersonId},
      ${facts.branchId}, ${json(facts.transaction)}, ${confirmedAt}, ${declinedAt},
      ${heldAt}, ${holdExpiresAt}, ${inNumbers(disbursement)}
    )
    on conflict (id) do update set
      created_at = excluded.created_at, listed_at = coalesce(payment.listed_at, excluded.listed_at),
      type = excluded.type, source = excluded.source, operation_code = excluded.operation_code,
      external_id = excluded.external_id, currency = excluded.currency, placed_amount = excluded.placed_amount,
      terms = excluded.terms, rates = excluded.rates, last_four_digits = excluded.last_four_digits,
      network = excluded.network, funding_source = excluded.funding_source, issuing_bank = excluded.issuing_bank,
      entry_mode = excluded.entry_mode, billing = excluded.billing, payment_method_id = excluded.payment_method_id,
      one_time_payment_id = excluded.one_time_payment_id, payment_intent_id = excluded.payment_intent_id,
      terminal_id = excluded.terminal_id, salesperson_id = excluded.salesperson_id, branch_id = excluded.branch_id,
      transaction = excluded.transaction, confirmed_at = coalesce(payment.confirmed_at, excluded.confirmed_at),
      declined_at = coalesce(payment.declined_at, excluded.declined_at),
      held_at = coalesce(payment.held_at, excluded.held_at),
      hold_expires_at = coalesce(payment.hold_expires_at, excluded.hold_expires_at),
      disbursement = coalesce(payment.disbursement, excluded.disbursement)`;
}

export function recordCaptured(
  queries: Queries,
  fact: { paymentId: string; organizationId: string; capturedAt: Date; amount: bigint; transaction: BankTransaction },
): Promise<CaptureTerms> {
  return queries.one<CaptureTerms>(sql`
    insert into payment (id, organization_id, captured_at, captured_amount, capture_transaction)
    values (
      ${fact.paymentId}, ${fact.organizationId}, ${fact.capturedAt}, ${fact.amount}, ${json(fact.transaction)}
    )
    on conflict (id) do update set
      captured_at = coalesce(payment.captured_at, excluded.captured_at),
      captured_amount = coalesce(payment.captured_amount, excluded.captured_amount),
      capture_transaction = coalesce(payment.capture_transaction, excluded.capture_transaction)
    returning ${captureTerms}`);
}

export function recordDisbursement(tx: Tx, id: string, disbursement: Disbursement): void {
  tx.send(sql`
    update payment set disbursement = ${inNumbers(disbursement)} where id = ${id} and disbursement is null`);
}

interface EndFact {
  paymentId: string;
  organizationId: string;
  at: Date;
}

export function recordReleased(tx: Tx, { paymentId, organizationId, at }: EndFact): void {
  tx.send(sql`
    insert into payment (id, organization_id, released_at) values (${paymentId}, ${organizationId}, ${at})
    on conflict (id) do update set released_at = coalesce(payment.released_at, excluded.released_at)`);
}

export function recordExpired(tx: Tx, { paymentId, organizationId, at }: EndFact): void {
  tx.send(sql`
    insert into payment (id, organization_id, expired_at) values (${paymentId}, ${organizationId}, ${at})
    on conflict (id) do update set expired_at = coalesce(payment.expired_at, excluded.expired_at)`);
}

export function recordRefunded(tx: Tx, { paymentId, organizationId, at }: EndFact): void {
  tx.send(sql`
    insert into payment (id, organization_id, refunded_at) values (${paymentId}, ${organizationId}, ${at})
    on conflict (id) do update set refunded_at = coalesce(payment.refunded_at, excluded.refunded_at)`);
}

export function findPayment(queries: Queries, organizationId: string, id: string): Promise<PaymentRow | undefined> {
  return queries.maybe<PaymentRow>(sql`
    select ${shown} from payment
    where id = ${id} and organization_id = ${organizationId} and status is not null`);
}

/** The filters of a developer list. An undefined filter excludes nothing. Times are inclusive. */
export interface PaymentFilters {
  status: PaymentRow['status'][] | undefined;
  type: PaymentRow['type'] | undefined;
  operationCode: number | undefined;
  from: Date | undefined;
  to: Date | undefined;
  paymentMethodId: string | undefined;
  oneTimePaymentId: string | undefined;
  paymentIntentId: string | undefined;
}

export type ListedPayment = PaymentRow & { walkBegan: string };

interface DeveloperList {
  organizationId: string;
  filters: PaymentFilters;
  after: Position | undefined;
  limit: number;
}

/** Newest first. After a position: only the rows that follow it and that were listed when the walk began. */
export function findPayments(queries: Queries, list: DeveloperList): Promise<ListedPayment[]> {
  const { status } = list.filters;
  if (status === undefined) return queries.many<ListedPayment>(developerPage(list, sql`status is not null`));
  // Reads each status by its index and merges, because a filter on the whole list would read all of it for a rare status.
  return queries.many<ListedPayment>(sql`
    select payment.* from unnest(${status}::text[]) as asked (status)
    cross join lateral (${developerPage(list, sql`status = asked.status`)}) as payment
    order by "createdAt" desc, id desc
    limit ${list.limit}`);
}

function developerPage({ organizationId, filters, after, limit }: DeveloperList, ofStatus: Sql): Sql {
  const { type, operationCode, from, to, paymentMethodId, oneTimePaymentId, paymentIntentId } = filters;
  const conditions: (Sql | false | undefined)[] = [
    type && sql`type = ${type}`,
    operationCode !== undefined && sql`operation_code = ${operationCode}`,
    from && sql`created_at >= ${from}`,
    to && sql`created_at <= ${to}`,
    paymentMethodId !== undefined && sql`payment_method_id = ${paymentMethodId}`,
    oneTimePaymentId !== undefined && sql`one_time_payment_id = ${oneTimePaymentId}`,
    paymentIntentId !== undefined && sql`payment_intent_id = ${paymentIntentId}`,
    after && sql`(created_at, id) < (${after.createdAt}, ${after.id}) and listed_at <= ${after.walkBegan}`,
  ];
  return sql`
    select ${shown}, statement_timestamp()::text as "walkBegan" from payment
    where organization_id = ${organizationId} and ${ofStatus} and ${allOf(conditions.filter((condition) => !!condition))}
    order by created_at desc, id desc
    limit ${limit}`;
}
