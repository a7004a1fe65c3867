import { sql } from '@cobro/postgres/database.ts';
import { bankOperations } from '@cobro/testing/bank-operations.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import type { Client } from './client.ts';
import type { StackUnderTest } from './stack-under-test.ts';

const KINDS = ['sale', 'authorize', 'refund'];

/** payments dies as a machine does, at the two moments where most could go wrong, and comes back. */
export function crashOfPayments({ stack, broker, merchant, developer, db, agreed }: StackUnderTest): void {
  const crash = async () => {
    await stack().processes.kill('payments');
    await stack().processes.ready('payments');
  };
  const shownAs = async (id: string, status: string) =>
    until(
      `${id} is shown as ${status}`,
      async () => (await developer(`/developer/v1/payment/${id}`)).body['status'] === status,
    );

  test('after the bank has answered a charge, a hold and a refund, and before any of it was written', async () => {
    const card = await merchant().saveCard();
    const refunded = (await merchant().charge(card)).body.id;
    const bodies = [{ externalId: 'crash-1' }, { externalId: 'crash-2', holdFunds: true }];
    const before = (await bankOperations(stack().bankUrl)).length;
    await setFaults(stack().bankUrl, { next: KINDS.map((kind) => ({ kind, fault: 'held' })) });
    const requests = [...bodies.map((body) => merchant().charge(card, body)), merchant().refund(card, refunded)];
    await until('all three are claimed', async () => (await openOperations()) === 3);
    await db('payments').inTransaction(async (tx) => {
      // Whatever payments wants to write of these operations now waits for us.
      await tx.run(sql`select from bank_operation where status = 'open' for update`);
      await setFaults(stack().bankUrl, {});
      await until('the bank has done all three', async () => {
        const done = (await bankOperations(stack().bankUrl)).slice(before);
        return KINDS.every((kind) => done.some((one) => one.kind === kind && one.outcome === 'approved'));
      });
      // They may share a transaction.
      await until('payments waits to write', async () => (await waitingForLocks()) > 0);
      await stack().processes.kill('payments');
    });
    const answers = await Promise.all(requests);
    // On a slow machine payments gives the write up after two seconds, and answers that it does not know.
    const told = answers.map(({ status, body }) => `${status} ${(body as unknown as { code: string }).code}`);
    expect(['502 BAD_GATEWAY', '202 undefined']).toEqual(expect.arrayContaining([...new Set(told)]));

    await stack().processes.ready('payments');
    await until('the charge is settled', async () => (await merchant().charge(card, bodies[0])).status === 201);
    await until('the hold is settled', async () => (await merchant().charge(card, bodies[1])).status === 201);
    const statuses = async () => (await listed(merchant(), card)).map(({ status }) => status);
    await until('the refund is settled', async () => (await statuses()).includes('REFUNDED'));
    expect(await statuses()).toEqual(expect.arrayContaining(['HELD', 'CONFIRMED', 'REFUNDED']));
    expect(await statuses()).toHaveLength(3);
    await shownAs(refunded, 'REFUNDED');
    await expect(agreed()).resolves.toBeUndefined();
  });

  test('after a charge, a hold and a refund were written, and before their events have left', async () => {
    const card = await merchant().saveCard();
    const refunded = (await merchant().charge(card)).body.id;
    await until('all events have left', async () => (await waitingEvents()) === 0);
    await broker.stop();
    try {
      const charged = await merchant().charge(card);
      const held = await merchant().hold(card);
      expect([charged.status, held.status, (await merchant().refund(card, refunded)).status]).toEqual([201, 201, 200]);
      expect(await waitingEvents()).toBe(3);
      await crash();
      await broker.start();
      await shownAs(charged.body.id, 'CONFIRMED');
      await shownAs(held.body.id, 'HELD');
      await shownAs(refunded, 'REFUNDED');
    } finally {
      await broker.start();
    }
    await expect(agreed()).resolves.toBeUndefined();
  });

  test('a charge that the bank has done and not answered, while payments waits for it', async () => {
    const before = (await bankOperations(stack().bankUrl)).length;
    const card = await merchant().saveCard();
    await setFaults(stack().bankUrl, { next: [{ kind: 'sale', fault: 'silentDone' }] });
    const request = merchant().charge(card, { externalId: 'crash-3', amount: 12.34 });
    const sales = async () =>
      (await bankOperations(stack().bankUrl)).slice(before).filter(({ amount }) => amount === 1234);
    await until('the bank has done it', async () => (await sales()).length === 1);
    await crash();
    expect((await request).status).toBe(502);
    const again = await merchant().charge(card, { externalId: 'crash-3', amount: 12.34 });
    expect([201, 202, 409]).toContain(again.status);
    await until(
      'it is settled',
      async () => (await merchant().charge(card, { externalId: 'crash-3', amount: 12.34 })).status === 201,
    );
    expect(await sales()).toMatchObject([{ kind: 'sale', outcome: 'approved' }]);
    await expect(agreed()).resolves.toBeUndefined();
  });

  async function waitingEvents(): Promise<number> {
    const { n } = await db('payments').one<{ n: bigint }>(sql`select count(*) as n from outbox`);
    return Number(n);
  }

  async function openOperations(): Promise<number> {
    const { n } = await db('payments').one<{ n: bigint }>(
      sql`select count(*) as n from bank_operation where status = 'open'`,
    );
    return Number(n);
  }

  async function waitingForLocks(): Promise<number> {
    const { n } = await db('payments').one<{ n: bigint }>(sql`
      select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    return Number(n);
  }
}

async function listed(merchant: Client, card: string): Promise<{ status: string }[]> {
  const { body } = await merchant.send<{ items: { status: string }[] }>('GET', `/payment-method/${card}/payment`);
  return body.items;
}
