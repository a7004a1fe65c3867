import type { AskedBy } from '@cobro/contracts/asked-by.ts';
import { pesosOf } from '@cobro/contracts/amount.ts';
import type { TimelineOperation } from '@cobro/contracts/payment-timeline.ts';
import { type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import type { OperationStatus, Purpose } from './journal.store.ts';
import { openFor, type ShownOperation, shownColumns } from './resolution.store.ts';

/** An operation with the columns that merchants are shown. */
interface OperationInTimeline extends ShownOperation {
  note: string | null;
  askedBy: AskedBy | null;
  declineCode: string | null;
  reference: string | null;
  /** The bank's time of its answer, as ISO text. */
  time: string | null;
}

const columns = sql`${shownColumns}, note, asked_by as "askedBy", answer->>'declineCode' as "declineCode",
  answer->>'reference' as reference, answer->>'time' as time`;

/** What was asked of the bank about a payment, in the order of the claims. */
export async function timelineOf(queries: Queries, paymentId: string): Promise<TimelineOperation[]> {
  const rows = await queries.many<OperationInTimeline>(sql`
    select ${columns} from bank_operation where subject_id = ${paymentId} and purpose <> 'save' order by claimed_at, id`);
  return rows.map(shown);
}

const A_WHILE_MINUTES = 1;

/** How many operations have waited for the bank's answer for a minute, and the oldest of them. */
export interface Unanswered {
  count: number;
  items: { paymentId: string; operation: TimelineOperation }[];
}

/**
 * `isOurs`: whether the caller may see the operation's subject. Reads everybody's open operations by their index: they are few,
 * however many payments there are.
 */
export async function findUnanswered(queries: Queries, isOurs: Sql, limit: number): Promise<Unanswered> {
  const rows = await queries.many<OperationInTimeline & { count: number }>(sql`
    select ${columns}, count(*) over ()::int as count from bank_operation
    where ${openFor(A_WHILE_MINUTES)} and ${isOurs} order by claimed_at, id limit ${limit}`);
  return {
    count: rows[0]?.count ?? 0,
    items: rows.map((row) => ({ paymentId: row.subjectId, operation: shown(row) })),
  };
}

const purposes = {
  charge: 'CHARGE',
  hold: 'HOLD',
  capture: 'CAPTURE',
  release: 'RELEASE',
  expire: 'EXPIRE',
  refund: 'REFUND',
} as const satisfies Record<Exclude<Purpose, 'save'>, TimelineOperation['purpose']>;

const outcomes = {
  open: 'OPEN',
  approved: 'APPROVED',
  declined: 'DECLINED',
  not_processed: 'NOT_PROCESSED',
  not_sent: 'NOT_SENT',
} as const satisfies Record<OperationStatus, TimelineOperation['outcome']>;

const iso = (time: Date | null) => time?.toISOString() ?? null;

const shown = (row: OperationInTimeline): TimelineOperation => ({
  id: row.id,
  purpose: purposes[row.purpose as keyof typeof purposes],
  outcome: outcomes[row.status],
  amount: row.amount === null ? null : pesosOf(row.amount),
  reason: row.note,
  askedAt: row.claimedAt.toISOString(),
  askedBy: row.askedBy,
  silentAt: iso(row.unansweredAt),
  inquiries: row.inquiries,
  settledAt: iso(row.settledAt),
  bankTime: row.time === null ? null : new Date(row.time).toISOString(),
  declineCode: row.declineCode,
  bankReference: row.reference,
});
