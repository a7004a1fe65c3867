import type { Envelope } from '@cobro/contracts/events.ts';
import { type Database, type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import { type AttemptRow, attemptTable, insertingAttempt } from './attempt.row.ts';

const columns = attemptTable.list;

/** Returns false if the attempt is known already. */
export const insertAttempt = async (
  queries: Queries,
  attempt: Parameters<typeof insertingAttempt>[0],
): Promise<boolean> =>
  (await queries.run(
    sql`insert into intent_attempt ${insertingAttempt(attempt)} on conflict (intent_id, attempt_id) do nothing`,
  )) > 0;

export const findAttempt = (queries: Queries, intentId: string, attemptId: string) =>
  queries.maybe<AttemptRow>(sql`
    select ${columns} from intent_attempt where intent_id = ${intentId} and attempt_id = ${attemptId}`);

/** The attempt that paid the intent. */
export const findConfirmedAttempt = (queries: Queries, intentId: string) =>
  queries.maybe<AttemptRow>(sql`
    select ${columns} from intent_attempt where intent_id = ${intentId} and status = 'CONFIRMED'`);

export const findAttemptOfPayment = (queries: Queries, paymentId: string) =>
  queries.maybe<AttemptRow>(sql`select ${columns} from intent_attempt where payment_id = ${paymentId}`);

/** An attempt that payments is to be asked about. */
export interface OverdueAttempt {
  paymentId: string;
  /** Its IntentPaymentRequested. */
  request: Envelope;
}

/**
 * Takes attempts whose outcome has not come within two seconds, so that no other replica takes them for the next second, or ten
 * when the attempt is older than a minute.
 */
export const takeOverdue = (db: Database, limit: number) =>
  db.many<OverdueAttempt>(sql`
    update intent_attempt
    set ask_at = clock_timestamp()
      + case when requested_at > clock_timestamp() - interval '1 minute' then interval '1 second' else interval '10 seconds' end
    where payment_id = any(array(
      select payment_id from intent_attempt where status = 'REQUESTED' and ask_at <= clock_timestamp()
      order by ask_at limit ${limit} for update skip locked))
    returning payment_id as "paymentId", payment_request as request`);

export const endAttempt = (
  tx: Tx,
  end: Pick<AttemptRow, 'paymentId' | 'status' | 'operationCode' | 'declineCode'>,
): void =>
  tx.send(sql`
    update intent_attempt
    set status = ${end.status}, operation_code = ${end.operationCode}, decline_code = ${end.declineCode},
      payment_request = null
    where payment_id = ${end.paymentId} and status = 'REQUESTED'`);
