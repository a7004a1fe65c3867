import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { type Sql, sql } from '@cobro/postgres/database.ts';
import { type Books, findDisagreements, untilAgreed } from './agreement.ts';
import { type RunningServices, startServices } from './start-services.ts';
import { moveToNoon, type TestHolds, testHolds } from './test-holds.ts';

let services: RunningServices;
let books: Books;
let holds: TestHolds;
let captured: Payment;
let held: Payment;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds', 'reporting'] });
  await moveToNoon(services);
  holds = await testHolds(services);
  books = {
    bankUrl: services.bank.url,
    payments: services.db('payments'),
    holds: services.db('holds'),
    reporting: services.db('reporting'),
  };
  captured = await holds.place();
  held = await holds.place();
  await holds.capture(captured, { amount: 40 });
  await holds.refund(captured);
  await holds.release(await holds.place());
  const { id } = await holds.merchant.saveCard(testCards.declined);
  await holds.merchant.charge(id);
  await holds.merchant.charge(holds.cardId);
});
afterAll(() => services?.stop());

test('books of charges, declines, captures, releases and refunds agree', async () => {
  await expect(untilAgreed(books)).resolves.toBeUndefined();
});

/** The disagreements found after `change`; `undo` reverts it. */
async function saidAfter(of: 'payments' | 'holds' | 'reporting', change: Sql, undo: Sql): Promise<string> {
  await services.db(of).run(change);
  try {
    return (await findDisagreements(books)).join('\n');
  } finally {
    await services.db(of).run(undo);
  }
}

describe('a disagreement is found:', () => {
  test('a payment that shows another status or amount than the bank’s ledger makes of it', async () => {
    const said = await saidAfter(
      'payments',
      sql`update payment set status = 'CONFIRMED', amount = 3999 where id = ${captured.id}`,
      sql`update payment set status = 'REFUNDED', amount = 4000 where id = ${captured.id}`,
    );
    expect(said).toContain(`payment ${captured.id} in payments: status is CONFIRMED, not REFUNDED`);
    expect(said).toContain(`payment ${captured.id} in payments: amount is 3999, not 4000`);
    expect(said).toContain(`payment ${captured.id} in reporting: amount is 4000, not 3999`);
  });

  test('a hold that another one holds', async () => {
    const said = await saidAfter(
      'holds',
      sql`update hold set status = 'RELEASED', released_at = now() where payment_id = ${held.id}`,
      sql`update hold set status = 'HELD', released_at = null where payment_id = ${held.id}`,
    );
    expect(said).toContain(`hold ${held.id} in holds: status is RELEASED, not HELD`);
  });

  test('a hold that holds has never heard of', async () => {
    const said = await saidAfter(
      'holds',
      sql`update hold set payment_id = ${holds.cardId} where payment_id = ${held.id}`,
      sql`update hold set payment_id = ${held.id} where payment_id = ${holds.cardId}`,
    );
    expect(said).toContain(`holds has no hold ${held.id}`);
    expect(said).toContain(`holds has a hold ${holds.cardId} that the bank never placed`);
  });

  test('an operation that is still open, or that the bank has under another amount', async () => {
    const open = sql`update bank_operation set status = 'open', settled_at = null, amount = 4001, inquire_at = 'infinity'
      where purpose = 'capture'`;
    const closed = sql`update bank_operation set status = 'approved', settled_at = now(), amount = 4000
      where purpose = 'capture'`;
    expect(await saidAfter('holds', open, closed)).toMatch(/^capture \S+ of \S+ is still open$/m);
    const more = sql`update bank_operation set amount = 4001 where purpose = 'capture'`;
    expect(await saidAfter('holds', more, closed)).toMatch(/^capture \S+ of \S+: amount is 4001, not 4000$/m);
  });

  test('money that moved without a record, and a record of money that did not move', async () => {
    const before = sql`update bank_operation set id = ${held.id} where purpose = 'capture'`;
    const [{ id }] = (await services.db('holds').many<{ id: string }>(sql`
      select id from bank_operation where purpose = 'capture'`)) as [{ id: string }];
    const after = sql`update bank_operation set id = ${id} where purpose = 'capture'`;
    const said = await saidAfter('holds', before, after);
    expect(said).toContain(`the bank has a capture ${id} that nobody wrote down`);
    expect(said).toContain(`capture ${held.id} of ${captured.id}: approved, but not in the ledger`);
  });

  test('a payment that reporting does not show', async () => {
    const said = await saidAfter(
      'reporting',
      sql`update payment set id = ${holds.cardId} where id = ${held.id}`,
      sql`update payment set id = ${held.id} where id = ${holds.cardId}`,
    );
    expect(said).toContain(`reporting has no payment ${held.id}`);
    expect(said).toContain(`reporting has a payment ${holds.cardId} that payments does not have`);
  });

  test('a card that is kept though the vault has none', async () => {
    const said = await saidAfter(
      'payments',
      sql`update bank_operation set id = ${held.id} where purpose = 'save' and subject_id = ${holds.cardId}`,
      sql`select 1`,
    );
    expect(said).toContain(`card ${holds.cardId} is ACTIVE, and the vault did not take it`);
  });
});
