import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Payment } from '@cobro/contracts/payments.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { type Sql, sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { failedHandOvers, handedOver } from '@cobro/testing/handed-over.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { proxyTo, type TcpProxy } from '@cobro/testing/tcp-proxy.ts';
import { testBrokerNames } from '@cobro/testing/test-broker.ts';
import { moveToNoon, type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { until } from '@cobro/testing/until.ts';

let services: RunningServices;
let broker: TcpProxy;
let holds: TestHolds;
beforeAll(async () => {
  // Cut from the start: neither service has ever seen a broker until the last test.
  broker = await proxyTo(testBrokerNames().url);
  services = await startServices({
    services: ['payments', 'holds'],
    env: { AMQP_URL: broker.url, BANK_CALL_TIMEOUT_MS: '5000' },
  });
  await moveToNoon(services);
  holds = await testHolds(services);
});
afterAll(async () => {
  await services?.stop();
  await broker?.cut();
});

interface Ended {
  answer: HttpAnswer;
  read: Payment;
  listed: Payment | undefined;
}

/** Ends a hold, then at once reads it and lists the payments. */
const readAfter = (end: (held: Payment) => ReturnType<TestHolds['capture']>) =>
  handedOver<Ended>(
    async () => {
      const held = await holds.place();
      const answer = await end(held);
      const [read, listed] = await Promise.all([holds.read(held), holds.listed(held)]);
      return { answer, read, listed };
    },
    {
      isFresh: ({ read, listed }) => read.status !== 'HELD' && listed?.status !== 'HELD',
      failures: () => failedHandOvers(services.logs('holds')),
    },
  );

/** Places a hold and makes holds ask payments for it, by a request that it then refuses. */
async function placeKnown(body?: object): Promise<Payment> {
  const held = await holds.place(body);
  const { status, body: refusal } = await holds.capture(held, { amount: 1_000 });
  expect({ status, refusal }).toMatchObject({ status: 400, refusal: { code: 'CAPTURE_AMOUNT_EXCEEDS_HOLD' } });
  return held;
}

const statusOf = async ({ id }: Payment) =>
  (await services.db('holds').one<{ status: string }>(sql`select status from hold where payment_id = ${id}`)).status;

describe('without a broker', () => {
  test('a capture answers 200, and the very next GET and list show it', async () => {
    const { answer, read, listed } = await readAfter((held) => holds.capture(held, { amount: 99.99 }));
    expect(answer).toMatchObject({ status: 200, body: { status: 'CONFIRMED', amount: 99.99 } });
    expect([read, listed]).toEqual([answer.body, answer.body]);
  });

  test('a release answers 200, and the very next GET and list show it', async () => {
    const { answer, read, listed } = await readAfter((held) => holds.release(held));
    expect(answer).toMatchObject({ status: 200, body: { status: 'HOLD_RELEASED' } });
    expect([read, listed]).toEqual([answer.body, answer.body]);
  });

  test('who is refused because another has just ended the hold reads that, while the other still hands it over', async () => {
    const refuse = async () => {
      const [held, open] = [await placeKnown(), await placeKnown()];
      // While its row is locked, payments can show the payment, but not apply the end of its hold.
      const { ended } = await services.db('payments').inTransaction(async (tx) => {
        await tx.run(sql`select from payment where id = ${held.id} for update`);
        const capture = holds.capture(held);
        await until('it is captured', async () => (await statusOf(held)) === 'CAPTURED');
        // From this read payments knows that nothing was missed.
        await holds.read(open);
        const refused = holds.release(held);
        const both = Promise.all([capture, refused, refused.then(() => holds.read(held))]);
        // A request that wrongly did not wait for the hand-over would be answered within this time.
        await sleep(50);
        return { ended: both };
      });
      const [captured, refused, read] = await ended;
      return { captured, refused, read };
    };
    const { captured, refused, read } = await handedOver(refuse, {
      isFresh: (result) => result.read.status !== 'HELD',
      failures: () => failedHandOvers(services.logs('holds')),
    });
    expect(captured).toMatchObject({ status: 200 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });
    expect(read).toMatchObject({ status: 'CONFIRMED' });
  });

  test('a captured hold is refunded at once, with the captured amount', async () => {
    const before = await services.bank.operations();
    const held = await holds.place();
    await holds.capture(held, { amount: 20 });
    expect(await holds.refund(held)).toMatchObject({ status: 200, body: { status: 'REFUNDED', amount: 20 } });
    const after = await services.bank.operations();
    expect(after.slice(before.length).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['authorize', 15_000],
      ['capture', 2_000],
      ['refund', 2_000],
    ]);
  });
});

test('without a broker, a hold that the sweep has ended is shown so at once, also while nothing was missed', async () => {
  const expire = async () => {
    const ended = await placeKnown();
    await services.moveClock(3 * 86_400_000);
    const open = await holds.place();
    await services.moveClock(Date.parse(ended.holdExpiresAt ?? '') + 60_000 - services.now().getTime());
    await until('it has expired', async () => {
      const { body } = await holds.capture(ended);
      return (body as { code: string }).code === 'PAYMENT_NOT_HELD';
    });
    // From the first read payments knows that nothing was missed.
    return { open: await holds.read(open), ended: await holds.read(ended) };
  };
  const read = await handedOver(expire, {
    isFresh: ({ ended }) => ended.status !== 'HELD',
    failures: () => services.logs('payments').split('hold_endings_not_learned').length,
  });
  expect(read).toMatchObject({ open: { status: 'HELD' }, ended: { status: 'HOLD_EXPIRED' } });
});

describe('without a broker, and while the hand-over fails', () => {
  test('a hold that holds has not heard of is captured at once and refunded at once after', async () => {
    await services.kill('holds');
    const held = await holds.place();
    await services.restart('holds');

    expect(await holds.capture(held, { amount: 30 })).toMatchObject({ status: 200, body: { amount: 30 } });
    expect(await holds.refund(held)).toMatchObject({ status: 200, body: { status: 'REFUNDED', amount: 30 } });
  });

  test('a hold that holds has not heard of is released at once', async () => {
    await services.kill('holds');
    const held = await holds.place();
    await services.restart('holds');
    expect(await holds.release(held)).toMatchObject({ status: 200, body: { status: 'HOLD_RELEASED' } });
  });

  test('payments that has not heard of a capture asks holds before it refuses a refund', async () => {
    const [captured, released] = [await placeKnown(), await placeKnown()];
    await services.kill('payments');
    expect(await patiently(() => holds.capture(captured, { amount: 40 }))).toMatchObject({ status: 200 });
    expect(await patiently(() => holds.release(released))).toMatchObject({ status: 200 });
    await services.restart('payments');

    expect(await holds.refund(captured)).toMatchObject({ status: 200, body: { status: 'REFUNDED', amount: 40 } });
    expect(await holds.refund(released)).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_REFUNDABLE' } });
    expect(await holds.read(released)).toMatchObject({ status: 'HOLD_RELEASED' });
  });

  test('a hold that holds has not heard of waits for payments', async () => {
    const held = await holds.place();
    await services.kill('payments');
    expect(await holds.capture(held)).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    await services.restart('payments');
    expect(await holds.capture(held)).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
  });

  test('a hold that is still held is not refunded', async () => {
    const held = await holds.place();
    expect(await holds.refund(held)).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_REFUNDABLE' } });
  });
});

describe('without a broker, while nothing that was missed is handed over again', () => {
  const again = (tryAt: Sql) =>
    services.db('holds').run(sql`alter table missed_hand_over alter column try_at set default ${tryAt}`);
  beforeAll(() => again(sql`'infinity'`));
  const missed = async () => (await services.db('holds').many(sql`select from missed_hand_over`)).length;
  /**
   * Reads what payments shows by asking holds, its only way to know. A read waits 300 ms for holds, and a slow machine may take longer
   * to answer.
   */
  const asking = async (read: () => Promise<Payment | undefined>) => {
    let shown = await read();
    await until('holds was asked', async () => {
      if (shown?.status === 'HELD') shown = await read();
      return shown?.status !== 'HELD';
    });
    return shown;
  };
  /** Makes payments fail to apply every event. */
  const refuseEvents = async (during: () => Promise<void>) => {
    const db = services.db('payments');
    await db.run(sql`
      create or replace function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'not now'; end $$`);
    await db.run(sql`create trigger refuse before insert on inbox for each row execute function refuse()`);
    await during();
    await db.run(sql`drop trigger refuse on inbox`);
  };

  test('payments that was away asks holds before it shows HELD, alone, in a list and to a repeated charge', async () => {
    const externalId = newId();
    const held = [await placeKnown(), await placeKnown(), await placeKnown({ externalId }), await holds.place()];
    const [read, listed, repeated, open] = held as [Payment, Payment, Payment, Payment];
    await services.kill('payments');
    for (const one of [read, listed, repeated]) {
      expect(await patiently(() => holds.capture(one, { amount: 40 }))).toMatchObject({ status: 200 });
    }
    await services.restart('payments');
    const charge = { amount: 150, holdFunds: true, externalId };
    const sentAgain = async () => (await holds.merchant.charge(holds.cardId, charge)).body as Payment;
    expect(await asking(sentAgain)).toMatchObject({ id: repeated.id, status: 'CONFIRMED', amount: 40 });
    expect(await asking(() => holds.read(read))).toMatchObject({ status: 'CONFIRMED', amount: 40 });
    expect(await asking(() => holds.listed(listed))).toMatchObject({ status: 'CONFIRMED', amount: 40 });
    expect(await holds.read(open)).toEqual(open);
    await until('all three are written down', async () => (await missed()) >= 3);
  });

  test('while hand-overs pause after failures a capture answers 200, and the very next GET shows it', async () => {
    const held: Payment[] = [];
    while (held.length < 7) held.push(await holds.place());
    const last = held.pop() as Payment;
    await refuseEvents(async () => {
      for (const one of held) expect(await holds.capture(one)).toMatchObject({ status: 200 });
      // A pause lasts a second; a slow machine may not have begun another hand-over in it.
      await until('a pause is said', async () => {
        const another = await holds.place();
        held.push(another);
        expect(await holds.capture(another)).toMatchObject({ status: 200 });
        return services.logs('holds').includes('"reason":"paused"');
      });
    });
    expect(await holds.capture(last, { amount: 1 })).toMatchObject({ status: 200 });
    for (const one of [last, ...held]) {
      expect(await asking(() => holds.read(one))).toMatchObject({ status: 'CONFIRMED' });
    }
  });

  test('payments shows what it knows while holds is away', async () => {
    const held = await holds.place();
    await services.kill('holds');
    expect(await holds.read(held)).toEqual(held);
    expect(await holds.listed(held)).toEqual(held);
    await services.restart('holds');
  });

  test('what was missed is handed over as soon as it can be, without a question', async () => {
    const held = await placeKnown();
    await services.kill('payments');
    expect(await patiently(() => holds.release(held))).toMatchObject({ status: 200 });
    await services.restart('payments');
    await again(sql`clock_timestamp()`);
    await services.db('holds').run(sql`update missed_hand_over set try_at = clock_timestamp()`);
    const { id } = held;
    await until('payments has taken it', async () => {
      const row = await services.db('payments').one<Payment>(sql`select status from payment where id = ${id}`);
      return row.status === 'HOLD_RELEASED';
    });
    await until('nothing is missing', async () => (await missed()) === 0);
  });
});

test('a broker that comes late brings it all again, and changes nothing', async () => {
  const list = `/payment-method/${holds.cardId}/payment`;
  const before = (await holds.merchant.call({ path: list })).body;
  const waiting = async (service: 'payments' | 'holds') => {
    const rows = await services.db(service).many(sql`select id from outbox`);
    return rows.length;
  };
  expect(await waiting('holds')).toBeGreaterThan(0);
  expect(await waiting('payments')).toBeGreaterThan(0);

  await broker.restore();

  await until('the outboxes are empty', async () => (await waiting('holds')) + (await waiting('payments')) === 0);
  const [payments, ours] = [services.db('payments'), services.db('holds')];
  await untilAgreed({ bankUrl: services.bank.url, payments, holds: ours });
  expect((await holds.merchant.call({ path: list })).body).toEqual(before);
});
