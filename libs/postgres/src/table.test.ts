import { expect, test } from '@jest/globals';
import { sql } from './sql.ts';
import { column, jsonColumn, tableOf } from './table.ts';

const holds = tableOf({ paymentId: column<string>(), amount: column<bigint>(), heldBy: jsonColumn<object | null>() });

test('a select lists every column under the name that code uses', () => {
  expect(sql`select ${holds.list} from hold`.text).toBe(
    'select payment_id as "paymentId", amount, held_by as "heldBy" from hold',
  );
});

test('an insert names its columns once, and writes JSON as JSON', () => {
  const insert = holds.inserting('paymentId', 'heldBy');
  const { text, values } = sql`insert into hold ${insert({ paymentId: 'p', heldBy: { a: 1 } })} returning ${1}`;
  expect(text).toBe('insert into hold (payment_id, held_by) values ($1, $2::jsonb) returning $3');
  expect(values).toEqual(['p', '{"a":1}', 1]);
  expect(insert({ paymentId: 'p', heldBy: null }).values).toEqual(['p', null]);
});

test('an insert leaves to Postgres what Postgres computes', () => {
  const insert = holds.insertingWith({ amount: 'round(1.5)' }, 'paymentId');
  expect(insert({ paymentId: 'p' })).toEqual(
    expect.objectContaining({ text: '(payment_id, amount) values ($1, round(1.5))', values: ['p'] }),
  );
});

test('what an insert writes over a row that is there', () => {
  expect(holds.excluded('amount', 'heldBy').text).toBe('amount = excluded.amount, held_by = excluded.held_by');
});

test('what an insert fills in a row that is there', () => {
  expect(holds.filled('hold', 'heldBy').text).toBe('held_by = coalesce(hold.held_by, excluded.held_by)');
});
