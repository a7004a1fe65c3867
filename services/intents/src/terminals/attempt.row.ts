import type { Envelope } from '@cobro/contracts/events.ts';
import { column, jsonColumn, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const columns = {
  intentId: column<string>(),
  attemptId: column<string>(),
  terminalId: column<string>(),
  /** Keyed hash of card and terms. */
  requestDigest: column<Buffer>(),
  status: column<'REQUESTED' | 'CONFIRMED' | 'DECLINED'>(),
  /** Null if the vault declined the card: nothing was charged. */
  paymentId: column<string | null>(),
  operationCode: column<bigint | null>(),
  declineCode: column<string | null>(),
  lastFourDigits: column<string | null>(),
  network: column<string | null>(),
};

export type AttemptRow = RowOf<typeof columns>;
export const attemptTable = tableOf(columns);

/** Only the job that hands the event over again reads the request. */
export const insertingAttempt = tableOf({ ...columns, paymentRequest: jsonColumn<Envelope | null>() }).inserting(
  'intentId',
  'attemptId',
  'terminalId',
  'requestDigest',
  'status',
  'paymentId',
  'declineCode',
  'lastFourDigits',
  'network',
  'paymentRequest',
);
