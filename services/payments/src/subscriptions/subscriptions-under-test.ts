import { newId } from '@cobro/contracts/ids.ts';
import { openPatiently, type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import { testDatabase } from '@cobro/testing/test-database.ts';
import { insertSubscription } from './subscription.store.ts';

export const day = (n: number) => new Date(Date.UTC(2027, 0, n));

export type StoredSubscriptions = Awaited<ReturnType<typeof storedSubscriptions>>;

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const rowsRead = ({ 'Rows Removed by Filter': removed = 0, Plans = [], ...node }: PlanNode): number =>
  (node['Actual Rows'] + removed) * node['Actual Loops'] + Plans.reduce((sum, one) => sum + rowsRead(one), 0);

const copied = sql`organization_id, request_digest, payment_method_id, amount, currency, periodicity, first_billing_date, is_started,
  latest_number, attempted_at, retries_end_at, period_ends_at, is_past_due, gives_up_at, completes_at, paused_at, wake_at, waits_for, waits_since,
  try_at, created_at, updated_at`;

/** For tests: a database with one merchant's card and subscriptions. */
export async function storedSubscriptions() {
  const [organizationId, paymentMethodId] = [newId(), newId()];
  const database = await testDatabase('payments');
  const db = openPatiently({ url: database.url, schema: 'payments' });
  await db.run(sql`
    insert into payment_method (id, organization_id, status, fingerprint, last_four_digits, network, funding_source, issuing_bank,
      expiration_month, expiration_year, created_at)
    values (${paymentMethodId}, ${organizationId}, 'ACTIVE', '', '4242', 'VISA', 'CREDIT', 'BBVA', 12, 2032, now())`);
  return {
    db,
    organizationId,
    paymentMethodId,
    /** Writes a subscription of 100 centavos a month from 1 January 2027, whose first period was tried, and gives its id. */
    given: async (known: Partial<Record<'gives' | 'cancels' | 'completes' | 'paused', Date>>, pastDue: boolean) => {
      const made = await insertSubscription(db, {
        id: newId(),
        organizationId,
        externalId: null,
        requestDigest: Buffer.alloc(32),
        paymentMethodId,
        productId: null,
        description: null,
        amount: 100n,
        currency: 'MXN',
        periodicity: 'MONTHLY',
        firstBillingDate: '2027-01-01',
        totalPeriods: null,
        completesAt: known.completes ?? null,
        isStarted: true,
        latestNumber: 1,
        attemptedAt: day(1),
        retriesEndAt: day(14),
        periodEndsAt: day(31),
        wakeAt: day(1),
        createdAt: day(1),
        updatedAt: day(1),
      });
      await db.run(sql`
        update subscription set gives_up_at = ${known.gives ?? null}, cancels_at = ${known.cancels ?? null},
          paused_at = ${known.paused ?? null}, is_past_due = ${pastDue} where id = ${made?.id}`);
      return made?.id ?? '';
    },
    /** Writes this many copies of it, and analyzes the table. */
    copy: async (id: string, count: number) => {
      await db.run(sql`
        insert into subscription (id, ${copied})
        select gen_random_uuid(), ${copied} from subscription, generate_series(1, ${count}) where id = ${id}`);
      await withClient({ connectionString: database.adminUrl }, (client) =>
        client.query('vacuum analyze payments.subscription'),
      );
    },
    /** Counts the rows that all steps of this statement read. */
    rowsOf: async (work: (queries: Queries) => Promise<unknown>) => {
      let rows = 0;
      const many = async (statement: Sql) => {
        const [plan] = await db.many<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
          sql`explain (analyze, format json) ${statement}`,
        );
        rows = rowsRead(plan?.['QUERY PLAN'][0]?.Plan as PlanNode);
        return [];
      };
      await work({ ...db, many });
      return rows;
    },
    close: async () => {
      await db.close();
      await database.drop();
    },
  };
}
