import { setTimeout as sleep } from 'node:timers/promises';
import { kindOf } from '@cobro/bank/journal.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { type BankOperation, bankOperations } from './bank-operations.ts';
import {
  type HoldRecord,
  type IntentRecord,
  type OperationRecord,
  type PaymentRecord,
  type ProjectionRecord,
  readRecords,
  type Records,
} from './agreement-records.ts';

/** Whose books are compared. The databases are read as an administrator, each with its schema as search_path. */
export interface Books {
  bankUrl: string;
  payments: Queries;
  holds: Queries;
  intents?: Queries;
  reporting?: Queries;
}

/** The books of one payment: the operations that payments and holds wrote down for it, each with the bank's entry. */
interface Story {
  payment: PaymentRecord;
  operations: Told[];
}

type Told = OperationRecord & { entry: BankOperation | undefined };

/**
 * Waits until nothing is in progress and all books agree. @throws after `ms`, with a sentence for each difference that is left
 */
export async function untilAgreed(books: Books, ms = 60_000): Promise<void> {
  for (const end = Date.now() + ms; ; await sleep(100)) {
    const differences = await findDisagreements(books);
    if (differences.length === 0) return;
    if (Date.now() > end) throw new Error(`no agreement within ${ms} ms:\n${differences.slice(0, 40).join('\n')}`);
  }
}

/**
 * What the bank's ledger, payments, holds and the projection in reporting do not agree on, one sentence for each difference.
 * Empty where no operation is open, no event waits to be published, and money moved exactly as the records say, at most once per
 * intent.
 */
export async function findDisagreements(books: Books): Promise<string[]> {
  const [records, ledger] = await Promise.all([readRecords(books), bankOperations(books.bankUrl)]);
  const entries = new Map(ledger.map((entry) => [entry.idempotencyKey, entry]));
  const told = records.operations.map((operation): Told => ({ ...operation, entry: entries.get(operation.id) }));
  const bySubject = Map.groupBy(told, ({ subjectId }) => subjectId);
  const stories = records.payments.map((payment) => ({ payment, operations: bySubject.get(payment.id) ?? [] }));
  return [
    ...unwritten(ledger, told),
    ...told.flatMap(compareOperation),
    ...stories.flatMap(movedOnce),
    ...stories.flatMap(comparePayment),
    ...compareHolds(stories, records.holds),
    ...(records.intents === undefined ? [] : compareIntents(records.payments, records.intents)),
    ...(records.projections === undefined ? [] : compareProjections(records.payments, records.projections)),
    ...compareCards(records, told),
    ...records.waiting
      .filter(({ count }) => count > 0)
      .map(({ of, count }) => `${of}: ${count} events wait to be sent`),
  ];
}

/** Money that moved although we had not written down that we would ask for it. Exchanging a card for a token moves no money. */
function unwritten(ledger: BankOperation[], told: Told[]): string[] {
  const written = new Set(told.map(({ id }) => id));
  return ledger
    .filter(({ kind, idempotencyKey }) => kind !== 'tokenize' && !written.has(idempotencyKey))
    .map(({ idempotencyKey, kind }) => `the bank has a ${kind} ${idempotencyKey} that nobody wrote down`);
}

function compareOperation({ id, purpose, subjectId, amount, status, reference, entry }: Told): string[] {
  const about = `${purpose} ${id} of ${subjectId}`;
  if (status === 'open') return [`${about} is still open`];
  const answered = status === 'approved' || status === 'declined';
  if (entry === undefined) return answered ? [`${about}: ${status}, but not in the ledger`] : [];
  if (!answered) return [`${about}: ${status}, but the bank has it as ${entry.outcome}`];
  return differences(about, [
    ['kind', kindOf[purpose], entry.kind],
    ['outcome', status, entry.outcome],
    ['amount', amount, centavos(entry.amount)],
    // The vault's answer has no reference.
    ['reference', purpose === 'save' ? entry.reference : reference, entry.reference],
  ]);
}

const approved = (operations: Told[], ...purposes: OperationRecord['purpose'][]) =>
  operations.filter(({ purpose, entry }) => purposes.includes(purpose) && entry?.outcome === 'approved');

function movedOnce({ payment, operations }: Story): string[] {
  const found: string[] = [];
  const [made, captures, voids, refunds] = (
    [['charge', 'hold'], ['capture'], ['release', 'expire'], ['refund']] as const
  ).map((purposes) => approved(operations, ...purposes).length) as [number, number, number, number];
  for (const [what, times] of Object.entries({ charged: made, captured: captures, refunded: refunds })) {
    if (times > 1) found.push(`payment ${payment.id} was ${what} ${times} times`);
  }
  if (captures + voids > 1) found.push(`payment ${payment.id}: ${captures} captures and ${voids} voids`);
  return found;
}

/** What a payment should be according to the bank's entries. */
function expected({ operations }: Story) {
  const [made] = approved(operations, 'charge', 'hold');
  const [capture] = approved(operations, 'capture');
  const [refund] = approved(operations, 'refund');
  const freed = operations.find(isFreed);
  const taken = capture ?? (made?.purpose === 'charge' ? made : undefined);
  const last = operations.findLast(({ purpose }) => purpose === 'charge' || purpose === 'hold');
  const unmade = last?.status === 'not_sent' ? 'NOT_INITIALIZED' : 'CANCELLED';
  const ended = freed && (freed.purpose === 'release' ? 'HOLD_RELEASED' : 'HOLD_EXPIRED');
  const whole = taken === undefined ? (ended ?? (made ? 'HELD' : unmade)) : 'CONFIRMED';
  return { status: refund ? 'REFUNDED' : whole, made, capture, refund, freed };
}

const isFreed = ({ purpose, entry, declineCode }: Told) =>
  (purpose === 'release' || purpose === 'expire') &&
  (entry?.outcome === 'approved' || declineCode === 'already_expired' || declineCode === 'already_voided');

function comparePayment(story: Story): string[] {
  const { payment } = story;
  const { status, made, capture, refund, freed } = expected(story);
  const held = made?.purpose === 'hold' ? made : undefined;
  const moves = capture ?? made;
  return differences(`payment ${payment.id} in payments`, [
    ['status', payment.status, status],
    ['amount', payment.amount, moves ? centavos(moves.entry?.amount) : payment.amount],
    ['held_amount', payment.heldAmount, centavos(held?.entry?.amount)],
    ['bank_reference', payment.bankReference, made?.entry?.reference ?? null],
    ['capture_reference', payment.captureReference, capture?.entry?.reference ?? null],
    ['held_at', iso(payment.heldAt), held?.entry?.createdAt],
    ['captured_at', iso(payment.capturedAt), capture?.entry?.createdAt],
    ['hold_released_at', iso(payment.holdReleasedAt), freed?.entry?.createdAt],
    ['refunded_at', iso(payment.refundedAt), refund?.entry?.createdAt],
  ]);
}

const HOLD_STATUS: Record<string, HoldRecord['status']> = {
  HELD: 'HELD',
  CONFIRMED: 'CAPTURED',
  REFUNDED: 'CAPTURED',
  HOLD_RELEASED: 'RELEASED',
  HOLD_EXPIRED: 'EXPIRED',
};

function compareHolds(stories: Story[], holds: HoldRecord[]): string[] {
  const unseen = new Map(holds.map((hold) => [hold.paymentId, hold]));
  const found: string[] = [];
  for (const story of stories) {
    const { status, made, capture, freed } = expected(story);
    if (made?.purpose !== 'hold') continue;
    const hold = unseen.get(story.payment.id);
    unseen.delete(story.payment.id);
    if (hold === undefined) found.push(`holds has no hold ${story.payment.id}`);
    else {
      const facts: Fact[] = [
        ['status', hold.status, HOLD_STATUS[status]],
        ['held_amount', hold.heldAmount, centavos(made.entry?.amount)],
        ['captured_amount', hold.capturedAmount, centavos(capture?.entry?.amount)],
        ['bank_reference', hold.bankReference, made.entry?.reference],
        ['captured_at', iso(hold.capturedAt), capture?.entry?.createdAt],
        ['released_at', iso(hold.releasedAt), freed?.entry?.createdAt],
      ];
      found.push(...differences(`hold ${hold.paymentId} in holds`, facts));
    }
  }
  return [...found, ...[...unseen.keys()].map((id) => `holds has a hold ${id} that the bank never placed`)];
}

/** An intent is CONFIRMED by exactly one payment that moved its amount, and nothing else was charged for it. */
function compareIntents(payments: PaymentRecord[], intents: IntentRecord[]): string[] {
  const byIntent = Map.groupBy(payments, ({ paymentIntentId }) => paymentIntentId);
  return intents.flatMap(({ id, status, amount, charging, paymentId, paymentStatus }) => {
    if (charging !== null) return [`intent ${id} is still being charged`];
    const made = byIntent.get(id) ?? [];
    const [paid] = made.filter((payment) => payment.status === 'CONFIRMED' || payment.status === 'REFUNDED');
    const right = paid === undefined ? status : 'CONFIRMED';
    return differences(`intent ${id}`, [
      ['status', status, status === 'CONFIRMED' && paid === undefined ? 'PENDING or CANCELLED' : right],
      ['amount', paid === undefined ? null : amount, paid?.amount],
      ['payment', paid === undefined ? null : paymentId, paid?.id],
      ['payment status', paid === undefined ? null : paymentStatus, paid?.status],
    ]);
  });
}

const SHOWN = new Set(['CONFIRMED', 'CANCELLED', 'REFUNDED', 'HELD', 'HOLD_RELEASED', 'HOLD_EXPIRED']);

function compareProjections(payments: PaymentRecord[], projections: ProjectionRecord[]): string[] {
  const unseen = new Map(projections.map((projection) => [projection.id, projection]));
  const found = payments.flatMap((payment) => {
    if (!SHOWN.has(payment.status)) return [];
    const projection = unseen.get(payment.id);
    unseen.delete(payment.id);
    if (projection === undefined) return [`reporting has no payment ${payment.id}`];
    return differences(`payment ${payment.id} in reporting`, [
      ['status', projection.status, payment.status],
      ['amount', projection.amount, payment.amount],
      ['heldAt', iso(projection.heldAt), iso(payment.heldAt)],
      ['capturedAt', iso(projection.capturedAt), iso(payment.capturedAt)],
      ['holdReleasedAt', iso(projection.releasedAt), iso(payment.holdReleasedAt)],
      ['refundedAt', iso(projection.refundedAt), iso(payment.refundedAt)],
    ]);
  });
  return [...found, ...[...unseen.keys()].map((id) => `reporting has a payment ${id} that payments does not have`)];
}

/** Finds cards that we keep although the vault did not take them, and cards that the vault took but we do not keep. */
function compareCards({ cards }: Records, told: Told[]): string[] {
  const taken = new Set(approved(told, 'save').map(({ subjectId }) => subjectId));
  const found = cards
    .filter(({ id, status }) => (status === 'ACTIVE' && !taken.has(id)) || status === 'PENDING')
    .map(({ id, status }) => `card ${id} is ${status}, and the vault ${taken.has(id) ? 'took it' : 'did not take it'}`);
  const kept = new Set(cards.map(({ id }) => id));
  return [...found, ...[...taken].filter((id) => !kept.has(id)).map((id) => `card ${id} is in the vault only`)];
}

type Value = string | bigint | null | undefined;
type Fact = readonly [what: string, ours: Value, right: Value];

const differences = (about: string, facts: readonly Fact[]): string[] =>
  facts
    .filter(([, ours, right]) => (ours ?? null) !== (right ?? null))
    .map(([what, ours, right]) => `${about}: ${what} is ${String(ours ?? null)}, not ${String(right ?? null)}`);

const centavos = (amount: number | null | undefined) => (amount == null ? null : BigInt(amount));
const iso = (date: Date | null) => date?.toISOString() ?? null;
