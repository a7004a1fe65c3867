import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { testLinks } from '@cobro/testing/test-links.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lockEndedLinks } from './one-time-payment.store.ts';

let services: RunningServices;
beforeAll(async () => {
  services = await startServices({ services: ['payments'], env: { BANK_CALL_TIMEOUT_MS: '4000' } });
});
afterAll(() => services.stop());

test('one-time payments that expired while a card is being charged keep no later one from being published', async () => {
  const links = await testLinks(services);
  const [charged, left] = [await links.create(), await links.create()];
  const { body } = await links.pay(charged, testCards.insufficientFunds);
  const db = services.db('payments');
  const becomes = (status: string) =>
    db.run(sql`update payment set status = ${status} where id = ${(body as { paymentId: string }).paymentId}`);
  await becomes('PENDING');
  // These links expire before all others, but too late for the jobs.
  const at = (minutes: number) => new Date(services.now().getTime() + minutes * 60_000);
  for (const [i, { id }] of [charged, left].entries())
    await db.run(sql`update one_time_payment set expires_at = ${at(30 + i)} where id = ${id}`);
  const locked = await db.inTransaction((tx) => lockEndedLinks(tx, at(40), 1));
  expect(locked.map(({ id }) => id)).toEqual([left.id]);
  await becomes('CANCELLED');
});
