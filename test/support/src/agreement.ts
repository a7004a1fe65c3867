import { setTimeout as sleep } from 'node:timers/promises';
import { compareOperation, unwritten } from '@cobro/books/compare-operation.ts';
import {
  approved,
  askedElsewhere,
  compareHold,
  comparePayment,
  compareProjection,
  movedOnce,
  type BookedPayment,
  type AnsweredOperation,
} from '@cobro/books/compare-payment.ts';
import { centavos, type Difference, differences } from '@cobro/books/difference.ts';
import type { LedgerEntry, OperationRecord, PaymentRecord, ProjectionRecord } from '@cobro/books/records.ts';
import { DEFAULT_ACQUIRER } from '@cobro/contracts/acquirer-name.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';
import { bankOperations } from './bank-operations.ts';
import { isAnythingOpen, readRecords, type Records, type Sources } from './agreement-records.ts';
import type { IntentRecord } from '../../../services/intents/src/intents/intent-book.store.ts';

/** The books to compare. The databases are read as an administrator, each with its schema as search_path. */
export interface Books extends Sources {
  bankUrl: string;
  /** The acquirers besides the one at `bankUrl`, by their names. */
  others?: Readonly<Record<string, string>>;
}

const SOONEST_MS = 100;
/** The longest pause, because a comparison reads all records. */
const LATEST_MS = 800;

/**
 * Waits until nothing is in progress and all books agree. @throws after `ms`, with a sentence for each difference that is left
 */
export async function untilAgreed(books: Books, ms = 120_000): Promise<void> {
  const end = Date.now() + ms;
  for (let pause = SOONEST_MS; ; pause = Math.min(2 * pause, LATEST_MS)) {
    while (Date.now() < end && (await isAnythingOpen(books))) await sleep(SOONEST_MS);
    const disagreements = await findDisagreements(books);
    if (disagreements.length === 0) return;
    if (Date.now() > end) throw new Error(`no agreement within ${ms} ms:\n${disagreements.slice(0, 40).join('\n')}`);
    await sleep(pause);
  }
}

/** Like `untilAgreed`, but returns what is left after `ms`: empty if all agree. */
export const disagreementsAfter = (books: Books, ms: number): Promise<string[]> =>
  untilAgreed(books, ms).then(
    () => [],
    (error: unknown) => [String(error)],
  );

/**
 * Returns one sentence for each difference between the bank's ledger, payments, holds and the projection in reporting. Empty if no
 * operation is open, no event waits to be published, and money moved exactly as the records say, at most once per intent.
 */
export async function findDisagreements({ bankUrl, others = {}, ...schemas }: Books): Promise<string[]> {
  const urls = Object.entries({ [DEFAULT_ACQUIRER]: bankUrl, ...others });
  const ledgerOf = async ([acquirer, url]: [string, string]) =>
    (await bankOperations(url)).map((entry) => ({ ...entry, acquirer }));
  const [records, ...ledgers] = await Promise.all([readRecords(schemas), ...urls.map(ledgerOf)]);
  const ledger = ledgers.flat();
  const entries = new Map(ledger.map((entry) => [entry.idempotencyKey, entry]));
  const answered = records.operations.map((operation) => withEntry(operation, entries.get(operation.id)));
  const byId = new Map(answered.map((operation) => [operation.id, operation]));
  const bySubject = Map.groupBy(answered, ({ subjectId }) => subjectId);
  const booked = records.payments.map((payment) => ({ payment, operations: bySubject.get(payment.id) ?? [] }));
  const found: Difference[] = [
    // Exchanging a card for a token moves no money.
    ...ledger
      .filter(({ kind, idempotencyKey }) => kind !== 'tokenize' && !byId.has(idempotencyKey))
      .map(({ idempotencyKey, kind }) => unwritten(idempotencyKey, kind)),
    ...answered.flatMap((operation) => compareOperation(operation, entries.get(operation.id))),
    ...ledger.flatMap((entry) => bookedElsewhere(entry, byId.get(entry.idempotencyKey))),
    ...booked.flatMap(movedOnce),
    ...booked.flatMap(askedElsewhere),
    ...booked.flatMap(comparePayment),
  ];
  return [
    ...found.map(({ sentence }) => sentence),
    ...compareHolds(booked, records),
    ...(records.intents === undefined ? [] : compareIntents(records.payments, records.intents)),
    ...(records.projections === undefined ? [] : compareProjections(records.payments, records.projections)),
    ...compareCards(records, answered),
    ...(await miscounted(schemas.payments)),
    ...records.promotions
      .filter(({ counted, carried }) => counted !== carried)
      .map(({ id, counted, carried }) => `promotion ${id} counts ${counted} payments, and ${carried} carry it`),
    ...records.waiting
      .filter(({ count }) => count > 0)
      .map(({ of, count }) => `${of}: ${count} events wait to be sent`),
  ];
}

/** Payment links that count more payments, or fewer, than they have. */
async function miscounted(payments: Queries): Promise<string[]> {
  const links = await payments.many<{ id: string; counted: number; made: number }>(sql`
    select id, payments_count as counted, made from payment_link as link cross join lateral (
      select count(*)::int as made from payment
      where payment_link_id = link.id and status in ('PENDING', 'CONFIRMED', 'REFUNDED')) as its_payments
    where payments_count <> made`);
  return links.map(({ id, counted, made }) => `payment link ${id} counts ${counted} payments and has ${made}`);
}

/** A difference if another acquirer has the operation than the one that we wrote down. */
function bookedElsewhere(
  { acquirer, idempotencyKey: id, kind }: { acquirer: string; idempotencyKey: string; kind: string },
  operation: OperationRecord | undefined,
): Difference[] {
  if (operation === undefined || operation.acquirer === acquirer) return [];
  return [
    { what: 'acquirer', id, sentence: `${acquirer} has a ${kind} ${id} that was to go to ${operation.acquirer}` },
  ];
}

/** What the bank said is taken from its ledger, not from what we wrote down. */
function withEntry(operation: OperationRecord, entry: LedgerEntry | undefined): AnsweredOperation {
  const said = entry && {
    outcome: entry.outcome,
    amount: centavos(entry.amount),
    reference: entry.reference,
    time: entry.createdAt,
  };
  return { ...operation, said };
}

function compareHolds(booked: BookedPayment[], { holds }: Records): string[] {
  const byPayment = new Map(holds.map((hold) => [hold.paymentId, hold]));
  const placed = new Set(
    booked.filter(({ operations }) => approved(operations, 'hold').length > 0).map(({ payment }) => payment.id),
  );
  return [
    ...booked.flatMap((one) => compareHold(one, byPayment.get(one.payment.id))).map(({ sentence }) => sentence),
    ...holds
      .filter(({ paymentId }) => !placed.has(paymentId))
      .map(({ paymentId }) => `holds has a hold ${paymentId} that the bank never placed`),
  ];
}

/** An intent is CONFIRMED by exactly one payment that moved its amount, and nothing else was charged for it. */
function compareIntents(payments: PaymentRecord[], intents: IntentRecord[]): string[] {
  const byIntent = Map.groupBy(payments, ({ paymentIntentId }) => paymentIntentId);
  return intents.flatMap(({ id, status, amount, charging, paymentId, paymentStatus }) => {
    if (charging !== null) return [`intent ${id} is still being charged`];
    const made = byIntent.get(id) ?? [];
    const [paid] = made.filter((payment) => payment.status === 'CONFIRMED' || payment.status === 'REFUNDED');
    const right = paid === undefined ? status : 'CONFIRMED';
    const wrong = differences(id, `intent ${id}`, [
      ['state', 'status', status, status === 'CONFIRMED' && paid === undefined ? 'PENDING or CANCELLED' : right],
      ['amount', 'amount', paid === undefined ? null : amount, paid?.amount],
      ['reference', 'payment', paid === undefined ? null : paymentId, paid?.id],
      ['state', 'payment status', paid === undefined ? null : paymentStatus, paid?.status],
    ]);
    return wrong.map(({ sentence }) => sentence);
  });
}

function compareProjections(payments: PaymentRecord[], projections: ProjectionRecord[]): string[] {
  const byId = new Map(projections.map((projection) => [projection.id, projection]));
  const known = new Set(payments.map(({ id }) => id));
  return [
    ...payments.flatMap((payment) => compareProjection(payment, byId.get(payment.id))).map(({ sentence }) => sentence),
    ...projections
      .filter(({ id }) => !known.has(id))
      .map(({ id }) => `reporting has a payment ${id} that payments does not have`),
  ];
}

/** Finds cards that we keep although the vault did not take them, and cards that the vault took but we do not keep. */
function compareCards({ cards }: Records, answered: AnsweredOperation[]): string[] {
  const taken = new Set(approved(answered, 'save').map(({ subjectId }) => subjectId));
  const found = cards
    .filter(({ id, status }) => (status === 'ACTIVE' && !taken.has(id)) || status === 'PENDING')
    .map(({ id, status }) => `card ${id} is ${status}, and the vault ${taken.has(id) ? 'took it' : 'did not take it'}`);
  const kept = new Set(cards.map(({ id }) => id));
  return [...found, ...[...taken].filter((id) => !kept.has(id)).map((id) => `card ${id} is in the vault only`)];
}
