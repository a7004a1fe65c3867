import { sql } from '@cobro/postgres/database.ts';
import { shownWrongly } from '@cobro/testing/shown-wrongly.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { until } from '@cobro/testing/until.ts';
import { beforeAll, expect } from '@jest/globals';
import { seedEvents } from '../../dev/seed/seed-events.ts';
import { seedHistory } from '../../dev/seed/seed-history.ts';
import { stackUnderTest } from './stack-under-test.ts';

const { stack, db } = stackUnderTest({ telemetry: false });

beforeAll(async () => {
  const { baseUrl, bankUrl, databaseUrl, merchants } = stack();
  const seeded = { baseUrl, bankUrl, databaseUrl, apiKey: merchants.apiKey };
  await seedHistory(seeded, 500, () => {});
  await seedEvents(seeded);
}, 300_000);

testInFull(
  'merchants are shown what was seeded of the last 30 days, and an endpoint that is away has it before it',
  async () => {
    // Events of intents are not published again.
    const recent = await db('payments').many<{ id: string }>(sql`
    select payment.id from payment join bank_operation on subject_id = payment.id
    where payment_intent_id is null group by payment.id
    having min(claimed_at) > now() - interval '29 days' and bool_and(settled_at is not null)`);
    expect(recent.length).toBeGreaterThan(0);
    const ids = recent.map(({ id }) => id);
    await until(
      'all of it is shown',
      async () => (await shownWrongly(db('payments'), db('webhooks'), ids)).length === 0,
    );
    const { waiting } = await db('webhooks').one<{ waiting: number }>(sql`
    select count(*)::int as waiting from delivery where status = 'PENDING'`);
    expect(waiting).toBeGreaterThan(0);
  },
);
