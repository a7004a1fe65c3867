import { describe, expect, test } from '@jest/globals';
import { allOf, sql, statementName, type Sql } from './sql.ts';

describe('a statement', () => {
  test('keeps values out of its text, whatever they are', () => {
    const bad = "x'; drop table payment; --";
    const { text, values } = sql`select * from payment where id = ${bad} and amount = ${5n} and note = ${null}`;
    expect(text).toBe('select * from payment where id = $1 and amount = $2 and note = $3');
    expect(values).toEqual([bad, 5n, null]);
  });

  test('takes others as fragments, and numbers all values anew', () => {
    const columns = sql`id, amount`;
    const where = sql`a = ${1} and b = ${2}`;
    const changes = sql`, held_at = ${'now'}${sql`, note = ${'n'}`}`;
    const { text, values } = sql`update p set x = ${0}${changes} where ${where} and c = ${3} returning ${columns}`;
    expect(text).toBe(
      'update p set x = $1, held_at = $2, note = $3 where a = $4 and b = $5 and c = $6 returning id, amount',
    );
    expect(values).toEqual([0, 'now', 'n', 1, 2, 3]);
  });

  test('are written once, and anew where another fragment stands in them', () => {
    const where = (condition: Sql, id: number) => sql`select from t where ${condition} and id = ${id}`;
    const both = [sql`a = ${1}`, sql`b = ${2} and c = ${3}`];
    for (const round of [1, 2, 3]) {
      expect(both.map((condition) => where(condition, round))).toEqual([
        { text: 'select from t where a = $1 and id = $2', values: [1, round] },
        { text: 'select from t where b = $1 and c = $2 and id = $3', values: [2, 3, round] },
      ]);
      expect(where(sql`a = ${round}`, 9)).toEqual({
        text: 'select from t where a = $1 and id = $2',
        values: [round, 9],
      });
    }
  });

  test('does not take text or look-alikes for fragments', () => {
    const fake = { text: 'true; drop table payment', values: [] };
    expect(sql`select ${fake}`).toMatchObject({ text: 'select $1', values: [fake] });
    expect(sql`select ${'$1'}`).toMatchObject({ text: 'select $1', values: ['$1'] });
  });

  test('numbers more than nine values right', () => {
    const ten = allOf(Array.from({ length: 12 }, (_, i) => sql`c = ${i}`));
    const { text, values } = sql`select ${'first'} where ${ten} and last = ${'last'}`;
    expect(text).toMatch(/c = \$2 and .*c = \$13 and last = \$14$/);
    expect(values).toEqual(['first', ...Array.from({ length: 12 }, (_, i) => i), 'last']);
  });

  test('of no conditions is true', () => {
    expect(allOf([])).toMatchObject({ text: 'true', values: [] });
  });

  test('has a name by its text alone, short enough for Postgres', () => {
    const named = (id: number) => statementName(sql`select * from payment where id = ${id}`.text);
    expect(named(1)).toBe(named(2));
    expect(named(1)).not.toBe(statementName('select 1'));
    expect(named(1)).toMatch(/^select payment [\w-]{27}$/);
    expect(statementName('insert into outbox (id) values ($1)')).toMatch(/^insert outbox /);
    expect(statementName('\n    update hold set status = $1')).toMatch(/^update hold /);
    expect(statementName(`select pg_sleep(1), ${'x'.repeat(100)} from ${'t'.repeat(100)}`)).toHaveLength(63);
  });
});
