import { kindOf } from '@cobro/bank/journal.ts';
import { dayEnd, dayInMexicoCity, dayStart } from '@cobro/domain/mexico-city.ts';
import {
  compareAnswer,
  compareOperation,
  entryOf,
  isAnswered,
  isOurs,
  movedAlone,
  movementOf,
  unanswered,
} from './compare-operation.ts';
import {
  askedElsewhere,
  compareHold,
  comparePayment,
  compareProjection,
  movedOnce,
  type BookedPayment,
} from './compare-payment.ts';
import { type Difference, differences } from './difference.ts';
import { type Findings, lookUntilSettled, MOST_LISTED, noFindings, note, RECENT_MS } from './findings.ts';
import { inChunks, merge, pair, walk } from './key-order.ts';
import type { HoldRecord, LedgerEntry, Movement, OperationRecord, PaymentRecord, ProjectionRecord } from './records.ts';

/** The operations that one service has written down, without those that save cards, which move no money. */
export interface OperationBook {
  /** A page of operations that the bank answered within one UTC hour (`2026-11-20T06`), by id after this one. */
  answeredIn(hour: string, after: string | undefined): Promise<OperationRecord[]>;
  withIds(ids: string[]): Promise<OperationRecord[]>;
  /** Everything that was asked about these payments, in the order of the claims. */
  ofPayments(ids: string[]): Promise<OperationRecord[]>;
}

/** The books of one acquirer, and ours about it. Each is read by its own service's role. */
export interface Books {
  bank: {
    /** A page of the day's report by id, and the bank's time. */
    report(day: string, after: string | undefined): Promise<{ asOf: Date; data: Movement[] }>;
    /** The bank's answer to this operation, whatever the day. Undefined if the bank does not know it. */
    ask(
      operation: OperationRecord,
    ): Promise<Pick<LedgerEntry, 'outcome' | 'reference' | 'createdAt'> | 'silence' | undefined>;
  };
  operations: OperationBook[];
  payments(ids: string[]): Promise<PaymentRecord[]>;
  holds(ids: string[]): Promise<HoldRecord[]>;
  projections(ids: string[]): Promise<ProjectionRecord[]>;
}

/** The differences of one natural day. */
export interface Reconciliation extends Findings {
  day: string;
  /** The bank's time as the comparison began. */
  asOf: Date;
  operations: number;
  payments: number;
  /** Operations that the bank has carried out and that are open here. The next inquiry settles them. */
  open: number;
  /** Operations of the last minutes, still on their way into a book, or booked by the bank on the day before or after. */
  recent: number;
}

const CHUNK = 500;
/** How many inquiries run at once. */
const ASKED_AT_ONCE = 16;

interface Pair {
  a: Movement | undefined;
  b: OperationRecord | undefined;
}

/**
 * Compares the bank's books of one natural day with the books of payments and holds, by operation, and then each payment whose last
 * operation was on this day with its hold and its projection. Operations in the bank's report are compared with it; the bank is
 * asked about the others. Both sides are walked in the order of their keys, a page of each in memory.
 */
export async function reconcileDay(books: Books, day: string): Promise<Reconciliation> {
  const { asOf } = await books.bank.report(day, undefined);
  const found: Reconciliation = {
    day,
    asOf,
    operations: 0,
    payments: 0,
    ...noFindings(),
    open: 0,
    recent: 0,
  };
  const entries = walkReport(books, day);
  const acrossMidnight: OperationRecord[] = [];
  const ours = merge(
    books.operations.flatMap((book) =>
      hoursOf(day).map((hour) =>
        walk(
          (after) => book.answeredIn(hour, after),
          ({ id }) => id,
        ),
      ),
    ),
    ({ id }) => id,
  );
  const pairs = pair({ walk: entries, keyOf: ({ id }) => id }, { walk: ours, keyOf: ({ id }) => id });
  for await (const chunk of inChunks(pairs, CHUNK)) {
    const whole = await withOtherDays(books, chunk);
    found.operations += whole.length;
    for (let next = 0; next < whole.length; next += ASKED_AT_ONCE) {
      const together = whole.slice(next, next + ASKED_AT_ONCE);
      const compared = await Promise.all(together.map((one) => comparePair(books, one, found)));
      for (const one of compared) {
        if (Array.isArray(one)) note(found, one);
        else if (typeof one === 'string') found[one]++;
        else acrossMidnight.push(one);
      }
    }
    await compareBooked(books, whole, found);
  }
  await lookAcrossMidnight(books, acrossMidnight, found);
  return found;
}

const walkReport = ({ bank }: Books, day: string) =>
  walk(
    async (after) => (await bank.report(day, after)).data,
    ({ id }) => id,
  );

/** The UTC hours of the day. In Mexico City, days begin and end on a UTC hour since 1922. */
export function hoursOf(day: string): string[] {
  const hours: string[] = [];
  for (let time = dayStart(day).getTime(); time < dayEnd(day).getTime(); time += 3_600_000) {
    hours.push(new Date(time).toISOString().slice(0, 13));
  }
  return hours;
}

/** Finds our operation for each bank entry without one among the day's answered ones: it is open, or of another day. */
async function withOtherDays({ operations }: Books, chunk: Pair[]): Promise<Pair[]> {
  const keys = chunk.flatMap(({ a, b }) => (a !== undefined && b === undefined && isOurs(a) ? [a.id] : []));
  if (keys.length === 0) return chunk;
  const known = (await Promise.all(operations.map((book) => book.withIds(keys)))).flat();
  const byId = new Map(known.map((operation) => [operation.id, operation]));
  return chunk.map(({ a, b }) => ({ a, b: b ?? (a === undefined ? undefined : byId.get(a.id)) }));
}

/** Returns the operation itself if the bank may have booked it on the day before or after. */
async function comparePair(
  { bank }: Books,
  { a: movement, b: written }: Pair,
  found: Reconciliation,
): Promise<Difference[] | 'open' | 'recent' | OperationRecord> {
  if (written === undefined) return movement === undefined ? [] : [movedAlone(movement)];
  if (movement !== undefined) {
    if (written.status === 'open') return 'open';
    return [...compareOperation(written, entryOf(movement, written)), ...compareTime(written, movement.time)];
  }
  if (isRecent(written, found.asOf)) return 'recent';
  // The bank is not asked any more if something is broken as a whole.
  const said = found.differences < MOST_LISTED ? await bank.ask(written) : undefined;
  if (said === undefined) return compareOperation(written, undefined);
  if (said === 'silence') return [unanswered(written)];
  const differing = [...compareAnswer(written, said), ...compareTime(written, said.createdAt)];
  if (differing.length > 0 || said.outcome === 'declined' || movementOf(kindOf[written.purpose]) === undefined) {
    return differing;
  }
  return dayAcross(written, found.day) === undefined ? compareOperation(written, undefined) : written;
}

/** Takes operations that the bank approved and did not book on this day: one that the other day's report lacks too is a difference. */
async function lookAcrossMidnight(books: Books, operations: OperationRecord[], found: Reconciliation): Promise<void> {
  for (const [day = '', across] of Map.groupBy(operations, (one) => dayAcross(one, found.day))) {
    const left = new Map(across.map((one) => [one.id, one]));
    if (found.asOf.getTime() < dayStart(day).getTime() + RECENT_MS) left.clear();
    else for await (const { id } of walkReport(books, day)) left.delete(id);
    found.recent += across.length - left.size;
    for (const one of left.values()) note(found, compareOperation(one, undefined));
  }
}

const timeOf = ({ time }: OperationRecord) => Date.parse(time ?? '');

const isRecent = (operation: OperationRecord, asOf: Date) => timeOf(operation) > asOf.getTime() - RECENT_MS;

/** The day before or after this one, if the operation was within minutes of it. */
function dayAcross(operation: OperationRecord, day: string): string | undefined {
  const days = [-RECENT_MS, RECENT_MS].map((ms) => dayInMexicoCity(new Date(timeOf(operation) + ms)));
  return days.find((other) => other !== day);
}

function compareTime(written: OperationRecord, createdAt: string): Difference[] {
  if (written.time === null || Math.abs(timeOf(written) - Date.parse(createdAt)) <= RECENT_MS) return [];
  const about = `${written.purpose} ${written.id} of ${written.subjectId}`;
  return differences(written.id, about, [['time', 'time', written.time, createdAt]]);
}

/** Compares the payments whose last answered operation is in this chunk, so that each is compared on one day and once. */
async function compareBooked(books: Books, chunk: Pair[], found: Reconciliation): Promise<void> {
  const inChunk = chunk.flatMap(({ b }) => (b !== undefined && isAnswered(b) && !isRecent(b, found.asOf) ? [b] : []));
  const ids = new Set(inChunk.map(({ id }) => id));
  let looks = 0;
  await lookUntilSettled(found, [...new Set(inChunk.map(({ subjectId }) => subjectId))], async (left) => {
    const { compared, differing } = await lookAt(books, left, ids);
    if (++looks === 1) found.payments += compared;
    return differing;
  });
}

/** The differences of each of these payments that has no open operation. */
async function lookAt(books: Books, ids: string[], inChunk: Set<string>) {
  const asked = (await Promise.all(books.operations.map((book) => book.ofPayments(ids)))).flat();
  const bySubject = Map.groupBy(asked, ({ subjectId }) => subjectId);
  const [payments, holds, projections] = await Promise.all([
    books.payments(ids),
    books.holds(ids),
    books.projections(ids),
  ]);
  const [paymentOf, holdOf, projectionOf] = [
    new Map(payments.map((one) => [one.id, one])),
    new Map(holds.map((one) => [one.paymentId, one])),
    new Map(projections.map((one) => [one.id, one])),
  ];
  const differing = new Map<string, Difference[]>();
  let compared = 0;
  for (const id of ids) {
    const operations = bySubject.get(id) ?? [];
    const last = operations.filter(isAnswered).reduce((a, b) => (timeOf(b) >= timeOf(a) ? b : a));
    if (operations.some(({ status }) => status === 'open') || !inChunk.has(last.id)) continue;
    compared++;
    const payment = paymentOf.get(id);
    const said =
      payment === undefined
        ? [{ what: 'missing_here' as const, id, sentence: `payments has no payment ${id}` }]
        : compareWhole({ payment, operations: operations.map(asAnswered) }, holdOf.get(id), projectionOf.get(id));
    if (said.length > 0) differing.set(id, said);
  }
  return { compared, differing };
}

const compareWhole = (
  booked: BookedPayment,
  hold: HoldRecord | undefined,
  projection: ProjectionRecord | undefined,
) => [
  ...movedOnce(booked),
  ...askedElsewhere(booked),
  ...comparePayment(booked),
  ...compareHold(booked, hold),
  ...compareProjection(booked.payment, projection),
];

/** The bank's answer as we wrote it down: each operation itself is compared with the bank's books on its own day. */
const asAnswered = (operation: OperationRecord) => {
  const { status, amount, reference, time } = operation;
  const said =
    (status === 'approved' || status === 'declined') && time !== null
      ? { outcome: status, amount, reference, time }
      : undefined;
  return { ...operation, said };
};
