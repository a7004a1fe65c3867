import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import { type AttemptRow, attemptTable } from './attempt.row.ts';

const columns = attemptTable.list;
const inserting = attemptTable.inserting(
  'intentId',
  'attemptId',
  'terminalId',
  'requestDigest',
  'status',
  'paymentId',
  'declineCode',
  'lastFourDigits',
  'network',
);

/** False where the attempt is known already. */
export const insertAttempt = async (queries: Queries, attempt: Parameters<typeof inserting>[0]): Promise<boolean> =>
  (await queries.run(
    sql`insert into intent_attempt ${inserting(attempt)} on conflict (intent_id, attempt_id) do nothing`,
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

/** An attempt whose outcome intents does not know yet. */
export interface OpenAttempt {
  intentId: string;
  paymentId: string;
  /** Whether so much time has passed that nobody charges it any more who has not begun. */
  isOver: boolean;
}

/** All of them, in whatever number: there is one for a terminal at the most. */
export const listOpenAttempts = (queries: Queries) =>
  queries.many<OpenAttempt>(sql`
    select payment_intent.id as "intentId", charging_payment_id as "paymentId",
      requested_at < clock_timestamp() - interval '2 minutes' as "isOver"
    from payment_intent join intent_attempt on intent_attempt.payment_id = charging_payment_id
    where charging_payment_id is not null`);

export const endAttempt = (
  tx: Tx,
  end: Pick<AttemptRow, 'paymentId' | 'status' | 'operationCode' | 'declineCode'>,
): void =>
  tx.send(sql`
    update intent_attempt
    set status = ${end.status}, operation_code = ${end.operationCode}, decline_code = ${end.declineCode}
    where payment_id = ${end.paymentId} and status = 'REQUESTED'`);
