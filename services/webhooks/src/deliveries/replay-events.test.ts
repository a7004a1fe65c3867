import '@cobro/testing/check-answers.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { merchant } from '@cobro/testing/test-facts.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWebhooks } from '../webhooks-under-test.ts';

let webhooks: Awaited<ReturnType<typeof startWebhooks>>;
beforeAll(async () => {
  webhooks = await startWebhooks();
});
afterAll(() => webhooks?.close());

const SINCE = '2026-11-20T18:00:00.000Z';
const shop = async (organizationId = newId()) => {
  const caller = merchant(organizationId);
  const made = { url: 'http://127.0.0.1:9/', types: ['payment.*'] };
  const { body } = await webhooks.send(caller, 'POST', '/webhook-endpoint', made);
  const path = `/webhook-endpoint/${body.id}/replay`;
  return (since = SINCE) => webhooks.send(caller, 'POST', path, { since });
};

test('a merchant’s replays run one at a time, so that connections are left to others', async () => {
  const replay = await shop();
  const answers: number[] = [];
  const all = await webhooks.deps.db.inTransaction(async (tx) => {
    await tx.run(sql`lock table delivery in share row exclusive mode`);
    const sent = Array.from({ length: 20 }, async () => answers.push((await replay()).status));
    const waiting = () =>
      tx.one<{ count: number }>(sql`
        select count(*)::int as count from pg_locks where not granted and relation = 'delivery'::regclass`);
    await until('a replay waits for the table', async () => (await waiting()).count > 0);
    // Time for the others to come.
    await sleep(300);
    expect(await waiting()).toEqual({ count: 1 });
    return sent;
  });
  await Promise.all(all);
  expect(answers).toContain(200);
});

test('a walk by `until` comes past a moment at which more happened than one request sends', async () => {
  const organizationId = newId();
  const replay = await shop(organizationId);
  await webhooks.deps.db.run(sql`
    insert into event (position, id, organization_id, type, object_id, created_at, data)
    select n, gen_random_uuid(), ${organizationId}, 'payment.confirmed', gen_random_uuid(),
      ${SINCE}::timestamptz + interval '1 day' * (n / 5002), '{}'
    from generate_series(1, 5002) as n`);
  const counts: number[] = [];
  for (let since: string | null = SINCE; since !== null;) {
    const answer = await replay(since);
    expect(answer.status).toBe(200);
    counts.push(answer.body.count);
    since = answer.body.until;
  }
  expect(counts).toEqual([5_001, 1]);
});
