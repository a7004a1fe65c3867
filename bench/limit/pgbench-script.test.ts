import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { pgbenchScripts } from './pgbench-script.ts';
import type { LoggedStatement } from './statement-log.ts';

const card = randomUUID();
const logged = (text: string, ...values: (string | null)[]): LoggedStatement => ({
  session: '1',
  user: 'holds',
  text,
  values,
});

/** A pair that claims a hold, runs a timed look, and relays an event. */
function pair(): LoggedStatement[] {
  const id = randomUUID();
  return [
    logged('begin'),
    logged(
      'insert into hold values ($1, $2, $3, $4)',
      id,
      card,
      null,
      `{"id":"${id}","at":"${new Date().toISOString()}"}`,
    ),
    logged('commit'),
    logged('select exists (select from outbox where aggregate_id <> all($1))', '{}'),
    logged('delete from outbox where id = any($1::bigint[])', '{41,42}'),
  ];
}

test('pgbench gets the statements of a pair with ids and times of its own, and without what the clock does', () => {
  const [script] = pgbenchScripts([pair(), pair(), pair()], false);
  expect(script?.user).toBe('holds');
  expect(script?.text.split('\n').slice(-5)).toEqual([
    'begin;',
    expect.stringMatching(/^insert into hold values \(:made_0, :given_\d, null, :made_1\);$/),
    'commit;',
    "delete from outbox where id = any(array[currval(pg_get_serial_sequence('outbox', 'id')) - 0, " +
      "currval(pg_get_serial_sequence('outbox', 'id')) - 1]::bigint[]);",
    '',
  ]);
  expect(script?.text).toMatch(
    /id_0 as made_0, :given_\d::text \|\| id_0 \|\| :given_\d::text \|\| now \|\| :given_\d::text as made_1/,
  );
  expect(Object.values(script?.variables ?? {})).toEqual(expect.arrayContaining([card, '{"id":"', '","at":"', 'Z"}']));
});

test('in pipelines a transaction leaves in one write', () => {
  const [script] = pgbenchScripts([pair(), pair()], true);
  const commands = script?.text.split('\n').filter((line) => line.startsWith('\\'));
  const pipeline = ['\\startpipeline', '\\endpipeline'];
  expect(commands).toEqual([...pipeline, ...pipeline]);
});

test('a value that the log does not have is reported', () => {
  const pairs = [pair(), pair()].map((statements) => [
    ...statements,
    logged('begin'),
    logged('update hold set status = $1 where id = $2', 'HELD'),
    logged('commit'),
  ]);
  expect(() => pgbenchScripts(pairs, false)).toThrow('no values of this statement: update hold');
});
