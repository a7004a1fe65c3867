import { type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import type { OperationStatus, Purpose } from './journal.store.ts';

/** Everything that is known of what was asked of the bank, but for the answer's token. Times are real time. */
export interface OperationStory {
  id: string;
  purpose: Purpose;
  subjectId: string;
  /** In centavos. */
  amount: bigint | null;
  status: OperationStatus;
  claimedAt: Date;
  unansweredAt: Date | null;
  inquiries: number;
  inquireAt: Date;
  settledAt: Date | null;
  reference: string | null;
  declineCode: string | null;
}

const stories = (queries: Queries, which: Sql) =>
  queries.many<OperationStory>(sql`
    select id, purpose, subject_id as "subjectId", amount, status, claimed_at as "claimedAt",
      unanswered_at as "unansweredAt", inquiries, inquire_at as "inquireAt", settled_at as "settledAt",
      answer->>'reference' as reference, answer->>'declineCode' as "declineCode"
    from bank_operation where ${which} order by claimed_at, id`);

/** What was asked of the bank about these payments and saved cards, in the order of the claims. */
export const storiesOfSubjects = (queries: Queries, subjectIds: readonly string[]) =>
  stories(queries, sql`subject_id = any(${subjectIds}::uuid[])`);

/** The operation with this id, or none. */
export const storyOfOperation = (queries: Queries, id: string) => stories(queries, sql`id = ${id}`);
