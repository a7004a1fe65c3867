import { outwardId, type OutwardType } from '@cobro/contracts/outward-events.ts';
import { dayEnd, dayStart } from '@cobro/domain/mexico-city.ts';
import { compareCancelledIntent, compareEvents, objectsOf } from './compare-events.ts';
import type { Difference } from './difference.ts';
import { type Findings, lookUntilSettled, MOST_LISTED, noFindings, RECENT_MS } from './findings.ts';
import { inChunks, walk } from './key-order.ts';
import { hoursOf, type OperationBook } from './reconcile-day.ts';
import type { CancelledIntent, OperationRecord, PaymentRecord, ShownEvent, WrittenEvent } from './records.ts';

/** What happened, and the events that merchants were shown. Each is read by its own service's role. */
export interface EventBooks {
  operations: Pick<OperationBook, 'answeredIn'>[];
  payments(ids: readonly string[]): Promise<PaymentRecord[]>;
  paymentsOfIntents(ids: readonly string[]): Promise<PaymentRecord[]>;
  /** A page of intents that ended within one UTC hour, by id after this one. */
  cancelledIntents(hour: { from: Date; to: Date }, after: string | undefined): Promise<CancelledIntent[]>;
  intents(ids: readonly string[]): Promise<CancelledIntent[]>;
  /** When the oldest kept event happened. Undefined if there is none. */
  since(): Promise<Date | undefined>;
  shown(objectIds: readonly string[]): Promise<ShownEvent[]>;
  /** A page of the events written down within this real time, by position after this one. */
  written(day: { from: Date; to: Date }, after: bigint): Promise<WrittenEvent[]>;
  /** The same for these ids. */
  writtenWithIds(ids: readonly string[]): Promise<WrittenEvent[]>;
}

/** The differences between one natural day and its events. The comparison ends at 1,000 differences. */
export interface EventReconciliation extends Findings {
  day: string;
  /** Operations whose payments were compared. */
  operations: number;
  intents: number;
  events: number;
}

const CHUNK = 500;
/** Clocks differ, and events just before the first kept one may have been published before any were kept. */
const FIRST_MS = 60_000;

/**
 * Compares each payment about which the bank answered on this day, and each intent that ended on it, with the events that merchants
 * are shown. Checks the id, payment and deliveries of each event written down on this day. `asOf` is business time.
 */
export async function reconcileEvents(books: EventBooks, day: string, asOf: Date): Promise<EventReconciliation> {
  const found: EventReconciliation = { day, operations: 0, intents: 0, events: 0, ...noFindings() };
  const oldest = await books.since();
  // Webhooks is new and has kept nothing yet.
  if (oldest === undefined) return found;
  const since = new Date(oldest.getTime() + FIRST_MS);
  const before = new Date(asOf.getTime() - RECENT_MS);
  await comparePayments(books, found, { since, before });
  await compareIntents(books, found, { since, before });
  await compareWritten(books, found);
  return found;
}

interface Times {
  since: Date;
  /** What happened later is still on its way. */
  before: Date;
}

const isBrokenAsAWhole = ({ differences }: Findings) => differences >= MOST_LISTED;

/** The bank may have answered about a payment more than once on the day: its differences are listed once. */
async function comparePayments(books: EventBooks, found: EventReconciliation, { since, before }: Times): Promise<void> {
  const differing = new Set<string>();
  for (const book of books.operations) {
    for (const hour of hoursOf(found.day)) {
      const operations = walk(
        (after) => book.answeredIn(hour, after),
        ({ id }) => id,
      );
      for await (const chunk of inChunks(operations, CHUNK)) {
        if (isBrokenAsAWhole(found)) return;
        const old = chunk.filter((one) => isBefore(one, before));
        found.operations += old.length;
        const ids = new Set(old.map(({ subjectId }) => subjectId));
        const left = [...ids].filter((id) => !differing.has(id));
        await lookUntilSettled(found, left, async (those) => {
          const payments = (await books.payments(those)).filter((one) => isAtRest(one, before));
          const wrong = await comparedPayments(books, await withOtherTaps(books, payments), since);
          for (const id of wrong.keys()) differing.add(id);
          return wrong;
        });
      }
    }
  }
}

const isBefore = ({ time }: OperationRecord, before: Date) => time !== null && new Date(time) < before;

const isAtRest = ({ capturedAt, holdReleasedAt, refundedAt }: PaymentRecord, before: Date) =>
  [capturedAt, holdReleasedAt, refundedAt].every((time) => time === null || time < before);

/** Adds the intents' other taps: the bank was not asked about every tap. */
async function withOtherTaps(books: EventBooks, payments: PaymentRecord[]): Promise<PaymentRecord[]> {
  const intents = payments.flatMap(({ paymentIntentId }) => paymentIntentId ?? []);
  const taps = intents.length === 0 ? [] : await books.paymentsOfIntents(intents);
  return [...new Map([...payments, ...taps].map((one) => [one.id, one])).values()];
}

async function comparedPayments(books: EventBooks, payments: readonly PaymentRecord[], since: Date) {
  const shown = Map.groupBy(await books.shown(payments.flatMap(objectsOf)), ({ objectId }) => objectId);
  return differingOf(payments, (payment) =>
    compareEvents(
      payment,
      objectsOf(payment).flatMap((id) => shown.get(id) ?? []),
      since,
    ),
  );
}

function differingOf<T extends { id: string }>(
  all: readonly T[],
  compare: (one: T) => Difference[],
): Map<string, Difference[]> {
  return new Map(
    all
      .map((one): [string, Difference[]] => [one.id, compare(one)])
      .filter(([, differences]) => differences.length > 0),
  );
}

async function compareIntents(books: EventBooks, found: EventReconciliation, { since, before }: Times): Promise<void> {
  for (const hour of hoursOf(found.day)) {
    const from = new Date(`${hour}:00:00Z`);
    const to = new Date(Math.min(from.getTime() + 3_600_000, before.getTime()));
    const ended = walk(
      (after) => books.cancelledIntents({ from, to }, after),
      ({ id }) => id,
    );
    for await (const chunk of inChunks(ended, CHUNK)) {
      if (isBrokenAsAWhole(found)) return;
      found.intents += chunk.length;
      await lookUntilSettled(
        found,
        chunk.map(({ id }) => id),
        async (left) => {
          const shown = Map.groupBy(await books.shown(left), ({ objectId }) => objectId);
          return differingOf(await books.intents(left), (intent) =>
            compareCancelledIntent(intent, shown.get(intent.id) ?? [], since),
          );
        },
      );
    }
  }
}

async function compareWritten(books: EventBooks, found: EventReconciliation): Promise<void> {
  const day = { from: dayStart(found.day), to: new Date(dayEnd(found.day).getTime() + 1) };
  let after = 0n;
  for (let page = await books.written(day, after); page.length > 0; page = await books.written(day, after)) {
    if (isBrokenAsAWhole(found)) return;
    found.events += page.length;
    after = page.at(-1)?.position ?? after;
    let looks = 0;
    await lookUntilSettled(
      found,
      page.map(({ id }) => id),
      async (left) => {
        const events = ++looks === 1 ? page : await books.writtenWithIds(left);
        const ofPayments = events.filter(({ type }) => /^(payment|hold)\./.test(type));
        const payments = await books.payments([...new Set(ofPayments.map(({ objectId }) => objectId))]);
        const known = new Set(payments.map(({ id }) => id));
        const strangers = new Set(ofPayments.filter(({ objectId }) => !known.has(objectId)));
        return differingOf(events, (event) => comparedWritten(event, strangers.has(event)));
      },
    );
  }
}

function comparedWritten(event: WrittenEvent, isOfNoPayment: boolean): Difference[] {
  const { id, objectId, type, periodNumber, undelivered } = event;
  const named = `the event ${id} (${type} ${objectId}) in webhooks`;
  // Events that recur have a time or a number in their ids.
  const hasItsId =
    /^(webhook_endpoint|payment_link|product)\./.test(type) ||
    id === outwardId(objectId, type as OutwardType, periodNumber ?? undefined);
  return [
    ...(hasItsId ? [] : [{ what: 'state' as const, id, sentence: `${named} has another id than such an event has` }]),
    ...(isOfNoPayment
      ? [{ what: 'missing_there' as const, id, sentence: `${named} is about a payment that payments has not` }]
      : []),
    ...(undelivered > 0
      ? [
          {
            what: 'missing_here' as const,
            id,
            sentence: `${named} is not to be sent to ${undelivered} endpoints that asked for it`,
          },
        ]
      : []),
  ];
}
