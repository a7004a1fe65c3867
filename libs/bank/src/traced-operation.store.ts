import { type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import { type ShownOperation, shownColumns } from './resolution.store.ts';

/** Everything that is known of an operation, except the token in the answer. */
export interface TracedOperation extends ShownOperation {
  reference: string | null;
  declineCode: string | null;
}

const traced = (queries: Queries, which: Sql) =>
  queries.many<TracedOperation>(sql`
    select ${shownColumns}, answer->>'reference' as reference, answer->>'declineCode' as "declineCode"
    from bank_operation where ${which} order by claimed_at, id`);

/** What was asked of the bank about these payments and saved cards, in the order of the claims. */
export const operationsOfSubjects = (queries: Queries, subjectIds: readonly string[]) =>
  traced(queries, sql`subject_id = any(${subjectIds}::uuid[])`);

/** The operation with this id, or none. */
export const operationOfId = (queries: Queries, id: string) => traced(queries, sql`id = ${id}`);
