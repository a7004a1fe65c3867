import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Sql, sql } from '@cobro/postgres/database.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { awake } from '@cobro/testing/awake.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { moveToNoon } from '@cobro/testing/test-holds.ts';
import { type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';

let services: RunningServices;
let merchant: TestMerchant;
let other: TestMerchant;
let card: string;

beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'] });
  await moveToNoon(services);
  merchant = await testMerchant(services);
  other = await testMerchant(services);
  card = (await other.saveCard()).id;
});
afterAll(() => services.stop());

/** Counts the running statements of lists. */
const running = async () =>
  (
    await services.db('payments').one<{ count: number }>(sql`
      select count(*)::int as count from pg_stat_activity
      where application_name = 'payments lists' and state = 'active' and datname = current_database()`)
  ).count;

const list = (of: TestMerchant, path: string) => of.call({ path });

/**
 * Runs `work` while nobody can read the table and each of these merchants asks for a list. They ask again, because a statement of a list
 * ends after two seconds.
 */
async function whileListsHang(table: Sql, path: string, askers: TestMerchant[], work: () => Promise<void>) {
  const over = new AbortController();
  const asking: Promise<void>[] = [];
  const ask = async (of: TestMerchant) => {
    while (!over.signal.aborted) await list(of, path);
  };
  await services.db('payments').inTransaction(async (tx) => {
    await tx.run(sql`lock table ${table}`);
    asking.push(...askers.map(ask));
    try {
      await until('all of these lists are read', async () => (await running()) === askers.length);
      await awake(tx, work());
    } finally {
      over.abort();
    }
  });
  await Promise.all(asking);
}

test.each([
  ['/one-time-payment', sql`one_time_payment`, '/payment-method'],
  ['/promotion', sql`promotion`, `/subscription/${newId()}/period`],
])('a third list is refused after a second, while another organization reads its lists: %s', (path, table, third) =>
  whileListsHang(table, path, [merchant, merchant], async () => {
    expect(await list(other, '/payment-method')).toMatchObject({ status: 200, body: { count: 1 } });
    await until('a third list is refused', async () => {
      const { status, headers, body } = await list(merchant, third);
      if (status < 500) return false;
      expect({ status, body }).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
      expect(headers.get('retry-after')).toBe('1');
      return (body as { message: string }).message.startsWith('Two of your lists');
    });
  }),
);

test('while lists take all connections that lists have, charges are made and the service is ready', () =>
  whileListsHang(sql`list_tally`, '/payment-method', [merchant, merchant, other, other], async () => {
    expect((await other.charge(card)).status).toBe(201);
    // A process that stands still for half a second is not ready.
    await until('it is ready', async () => (await fetch(`${services.url('payments')}/health/ready`)).status === 200);
  }));
