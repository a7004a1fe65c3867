import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { pgbenchScripts } from './pgbench-script.ts';
import type { LoggedStatement } from './statement-log.ts';

const card = randomUUID();
const told = (text: string, ...values: (string | null)[]): LoggedStatement => ({
  session: '1',
  user: 'holds',
  text,
  values,
});

/** A pair that claims a hold, looks by the clock, and relays an event. */
function pair(): LoggedStatement[] {
  const id = randomUUID();
  return [
    told('begin'),
    told(
      'insert into hold values ($1, $2, $3, $4)',
      id,
      card,
      null,
      `{"id":"${id}","at":"${new Date().toISOString()}"}`,
    ),
    told('commit'),
    told('select exists (select from outbox where aggregate_id <> all($1))', '{}'),
    told('begin'),
    told('select id, envelope from outbox order by id limit $1', '500'),
    told('delete from outbox where id = any($1::bigint[])', '{41,42}'),
    told('commit'),
  ];
}

test('pgbench gets the statements of a pair with ids and times of its own, and without what the clock does', () => {
  const [script] = pgbenchScripts([pair(), pair(), pair()], false);
  expect(script?.user).toBe('holds');
  expect(script?.text.split('\n').slice(-8)).toEqual([
    'begin;',
    expect.stringMatching(/^insert into hold values \(:made_0, :given_\d, null, :made_1\);$/),
    'commit;',
    'begin;',
    expect.stringMatching(/^select id, envelope from outbox order by id limit :given_\d \\aset read_$/),
    'delete from outbox where id = any(array[:read_id::bigint - 0, :read_id::bigint - 1]::bigint[]);',
    'commit;',
    '',
  ]);
  expect(script?.text).toMatch(
    /id_0 as made_0, :given_\d::text \|\| id_0 \|\| :given_\d::text \|\| now \|\| :given_\d::text as made_1/,
  );
  expect(Object.values(script?.variables ?? {})).toEqual(
    expect.arrayContaining([card, '{"id":"', '","at":"', 'Z"}', '500']),
  );
});

test('in pipelines a transaction leaves in one write, but for the read whose result is needed', () => {
  const [script] = pgbenchScripts([pair(), pair()], true);
  const commands = script?.text.split('\n').filter((line) => line.startsWith('\\') || line.includes('\\aset'));
  const pipeline = ['\\startpipeline', '\\endpipeline'];
  expect(commands).toEqual([...pipeline, ...pipeline, expect.stringContaining('\\aset'), ...pipeline]);
});

test('a value that the log does not have is told', () => {
  const pairs = [pair(), pair()].map((statements) => [
    ...statements,
    told('begin'),
    told('update hold set status = $1 where id = $2', 'HELD'),
    told('commit'),
  ]);
  expect(() => pgbenchScripts(pairs, false)).toThrow('no values of this statement: update hold');
});
