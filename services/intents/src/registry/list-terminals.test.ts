import { newId } from '@cobro/contracts/ids.ts';
import { paymentIntentItem, terminalItem } from '@cobro/contracts/payment-intents.ts';
import { offsetListOf } from '@cobro/contracts/paging.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestIntents, testIntents } from '@cobro/testing/test-intents.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

let services: RunningServices;
let intents: TestIntents;
let other: TestIntents;
beforeAll(async () => {
  services = await startServices({ services: ['intents', 'payments'] });
  [intents, other] = [await testIntents(services), await testIntents(services)];
});
afterAll(() => services?.stop());

const ask = (path: string, of = intents) => of.merchant.call({ path });
const terminals = async (query = '', of = intents) =>
  offsetListOf(terminalItem).parse((await ask(`/terminal${query}`, of)).body);
const listed = async (query = '', of = intents) =>
  offsetListOf(paymentIntentItem).parse((await ask(`/payment-intent${query}`, of)).body);
const tileOf = async (code: string) => (await terminals()).items.find(({ terminalCode }) => terminalCode === code);
const seenAt = async (id: string) =>
  (
    await services
      .db('intents')
      .one<{ seenAt: Date | null }>(sql`select seen_at as "seenAt" from terminal where id = ${id}`)
  ).seenAt;

describe('GET /terminal', () => {
  test('shows branch and salesperson, the open intent, and what came of the last card', async () => {
    const { terminal, intent } = await intents.ready();
    const [branch, salesperson] = [newId(), newId()];
    const { organizationId } = intents.merchant;
    await services.db('intents').run(sql`
      with b as (insert into branch (id, organization_id, name, created_at) values (${branch}, ${organizationId}, 'Roma', now())),
        s as (
          insert into salesperson (id, organization_id, name, username, created_at)
          values (${salesperson}, ${organizationId}, 'Eva', ${newId()}, now()))
      select 1`);
    await services.db('intents').run(sql`
      update terminal set branch_id = ${branch}, salesperson_id = ${salesperson} where id = ${terminal.id}`);
    expect(await tileOf(terminal.code)).toMatchObject({
      id: terminal.id,
      branch: { id: branch, name: 'Roma' },
      salesperson: { id: salesperson, name: 'Eva' },
      seenAt: null,
      openIntent: { id: intent.id, amount: 250, externalId: intent.externalId, isCharging: false },
      lastOutcome: null,
    });

    expect((await terminal.pay(intent, testCards.declined)).status).toBe(402);
    expect(await tileOf(terminal.code)).toMatchObject({
      openIntent: { id: intent.id },
      lastOutcome: { outcome: 'DECLINED', paymentIntentId: intent.id, amount: 250, declineCode: 'do_not_honor' },
    });
    const paid = await terminal.pay(intent);
    expect(paid.status).toBe(201);
    const { paymentId, operationCode } = paid.body as { paymentId: string; operationCode: number };
    expect(await tileOf(terminal.code)).toMatchObject({
      openIntent: null,
      lastOutcome: { outcome: 'CONFIRMED', paymentIntentId: intent.id, paymentId, operationCode, declineCode: null },
    });
    expect((await terminals('', other)).items).toEqual([]);
  });

  test('an intent that has expired is not open any more', async () => {
    const { terminal } = await intents.ready();
    expect((await tileOf(terminal.code))?.openIntent).not.toBeNull();
    await services.moveClock(16 * 60_000);
    expect((await tileOf(terminal.code))?.openIntent).toBeNull();
  });

  test('a terminal is seen by its requests; the time is written once a minute at most, and never waits for a lock', async () => {
    const terminal = await intents.terminal();
    expect(await seenAt(terminal.id)).toBeNull();
    await terminal.next();
    await until('it is seen', async () => (await seenAt(terminal.id)) !== null);
    const first = await seenAt(terminal.id);
    const written = async () =>
      (
        await services
          .db('intents')
          .one<{ xmin: string }>(sql`select xmin::text from terminal where id = ${terminal.id}`)
      ).xmin;
    const version = await written();
    for (let i = 0; i < 5; i++) await terminal.next();
    expect([await seenAt(terminal.id), await written()]).toEqual([first, version]);

    await services.db('intents').run(sql`
      update terminal set seen_at = seen_at - interval '61 seconds' where id = ${terminal.id}`);
    await services.db('intents').inTransaction(async (tx) => {
      await tx.one(sql`select id from terminal where id = ${terminal.id} for no key update`);
      expect((await terminal.next()).status).toBe(204);
    });
    await terminal.next();
    await until('it is seen again', async () => ((await seenAt(terminal.id)) ?? 0) >= (first ?? 0));
    expect((await tileOf(terminal.code))?.seenAt).toBe((await seenAt(terminal.id))?.toISOString());
  });

  test('is paged, newest first', async () => {
    const all = await terminals();
    const [first, second] = [await terminals('?pageSize=1'), await terminals('?page=2&pageSize=1')];
    expect([first.items[0], second.items[0]]).toEqual(all.items.slice(0, 2));
    expect([first.count, all.count]).toEqual([all.items.length, all.items.length]);
    expect(await ask('/terminal?status=x')).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
  });
});

describe('GET /payment-intent', () => {
  test('shows all of a merchant’s intents, newest first, also by status and terminal', async () => {
    const { terminal, intent } = await intents.ready();
    const next = await intents.create({ terminalCode: terminal.code, amount: 12.5, redirectAppId: 'mx.tacuba.pos' });
    const free = await intents.create();
    const all = await listed();
    expect(all.items.slice(0, 3).map(({ id }) => id)).toEqual([free.id, next.id, intent.id]);
    expect(all.count).toBe(all.items.length);
    expect(all.items[1]).toMatchObject({
      status: 'PENDING',
      amount: 12.5,
      redirectAppId: 'mx.tacuba.pos',
      terminalCode: terminal.code,
    });
    expect(all.items[2]).toMatchObject({ status: 'CANCELLED', supersededBy: next.id, paymentSummary: null });
    expect(all.items[0]).toMatchObject({ terminalId: null, terminalCode: null });

    const paid = (await terminal.pay(next)).body as { paymentId: string; operationCode: number };
    const mine = await listed(`?terminalCode=${terminal.code}`);
    expect(mine.items.map(({ id, status }) => `${id} ${status}`)).toEqual([
      `${next.id} CONFIRMED`,
      `${intent.id} CANCELLED`,
    ]);
    expect(mine.items[0]?.paymentSummary).toMatchObject({ id: paid.paymentId, status: 'CONFIRMED' });
    expect(await listed(`?terminalCode=${terminal.code}&status=CANCELLED`)).toMatchObject({
      count: 1,
      items: [{ id: intent.id }],
    });
    const confirmed = await listed('?status=CONFIRMED&page=2&pageSize=1');
    expect(confirmed).toMatchObject({ page: 2, items: [{ status: 'CONFIRMED' }] });
    expect(await listed('', other)).toMatchObject({ count: 0, items: [] });
  });

  test('refuses what it cannot read, and the terminal of another', async () => {
    for (const query of ['status=PAID', 'page=0', 'pageSize=501', 'terminalCode=', 'page=101', 'x=1']) {
      expect(await ask(`/payment-intent?${query}`)).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
    }
    const theirs = await other.terminal();
    for (const code of [theirs.code, 'nobody’s']) {
      const answer = await ask(`/payment-intent?terminalCode=${encodeURIComponent(code)}`);
      expect(answer).toMatchObject(refusal(404, 'TERMINAL_NOT_FOUND'));
    }
  });

  test('counts to 10,000 and says where there are more', async () => {
    const many = await testIntents(services);
    await services.db('intents').run(sql`
      insert into payment_intent (id, organization_id, external_id, amount, currency, status, trace, created_at, expires_at, updated_at)
      select gen_random_uuid(), ${many.merchant.organizationId}, n::text, 100, 'MXN', 'CANCELLED', '{}', now(), now(), now()
      from generate_series(1, 10001) as n`);
    const answer = await ask('/payment-intent?page=100', many);
    expect(answer).toMatchObject({ status: 200, body: { count: 10_000 } });
    expect(answer.headers.get('x-count-capped')).toBe('true');
    expect((answer.body as { items: unknown[] }).items).toHaveLength(100);
  });
});
