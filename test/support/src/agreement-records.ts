import { operationBook } from '@cobro/bank/operation-book.store.ts';
import type { HoldRecord, OperationRecord, PaymentRecord, ProjectionRecord } from '@cobro/books/records.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';
import { bookedHolds } from '../../../services/holds/src/hold-book.store.ts';
import { bookedIntents, type IntentRecord } from '../../../services/intents/src/intents/intent-book.store.ts';
import { bookedPayments } from '../../../services/payments/src/books/payment-book.store.ts';
import { bookedProjections } from '../../../services/reporting/src/payment-book.store.ts';

/** The services' databases. */
export interface Sources {
  payments: Queries;
  holds: Queries;
  intents?: Queries;
  reporting?: Queries;
}

/** What the services wrote down about their operations and what came of them. Operations are in the order of their claims. */
export interface Records {
  operations: OperationRecord[];
  payments: PaymentRecord[];
  cards: { id: string; status: string }[];
  promotions: { id: string; counted: bigint; carried: bigint }[];
  holds: HoldRecord[];
  intents: IntentRecord[] | undefined;
  projections: ProjectionRecord[] | undefined;
  /** Events that have not been published yet. */
  waiting: { of: string; count: number }[];
}

export async function readRecords(from: Sources): Promise<Records> {
  const { payments, holds, intents, reporting } = from;
  const [asked, captured, paid, cards, promotions, held, wanted, projections, ...waiting] = await Promise.all([
    operationBook(payments).all(),
    operationBook(holds).all(),
    bookedPayments(payments),
    payments.many<Records['cards'][number]>(sql`select id, status from payment_method`),
    payments.many<Records['promotions'][number]>(sql`
      select id, payments_count as counted,
        (select count(*) from payment where rates -> 'promotion' ->> 'id' = counted.id::text
          and status not in ('CANCELLED', 'NOT_INITIALIZED')) as carried
      from promotion_with_count as counted`),
    bookedHolds(holds),
    intents === undefined ? undefined : bookedIntents(intents),
    reporting === undefined ? undefined : bookedProjections(reporting),
    ...Object.entries(from).map(([of, queries]) => waitingIn(of, queries)),
  ]);
  const operations = [...asked, ...captured];
  return { operations, payments: paid, cards, promotions, holds: held, intents: wanted, projections, waiting };
}

/** True if an operation is open or an event waits. Cheaper than reading all records. */
export async function isAnythingOpen({ payments, holds, intents, reporting }: Sources): Promise<boolean> {
  const asked = [payments, holds].map((queries) =>
    queries.one<{ open: boolean }>(sql`
      select exists (select from bank_operation where status = 'open') or exists (select from outbox) as open`),
  );
  const others = [intents, reporting].filter((queries) => queries !== undefined);
  const waiting = others.map((queries) =>
    queries.one<{ open: boolean }>(sql`select exists (select from outbox) as open`),
  );
  return (await Promise.all([...asked, ...waiting])).some(({ open }) => open);
}

async function waitingIn(of: string, queries: Queries): Promise<{ of: string; count: number }> {
  const { count } = await queries.one<{ count: number }>(sql`select count(*)::int as count from outbox`);
  return { of, count };
}
