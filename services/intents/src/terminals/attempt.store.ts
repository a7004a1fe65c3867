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

export const endAttempt = (
  tx: Tx,
  end: Pick<AttemptRow, 'paymentId' | 'status' | 'operationCode' | 'declineCode'>,
): void =>
  tx.send(sql`
    update intent_attempt
    set status = ${end.status}, operation_code = ${end.operationCode}, decline_code = ${end.declineCode}
    where payment_id = ${end.paymentId} and status = 'REQUESTED'`);
