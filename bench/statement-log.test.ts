import { expect, test } from '@jest/globals';
import { statementsIn } from './statement-log.ts';

test('a log of statements is read with its values, over several lines and from several sessions', () => {
  const log = [
    '@7 holds LOG:  statement: begin',
    '@8 payments LOG:  execute insert into note 4Fh_: insert into note',
    '\t  (id, text) values ($1, $2)',
    '@7 holds LOG:  execute select Xy: select 1 where $1 = any($2)',
    "@8 payments DETAIL:  parameters: $1 = '7', $2 = 'it''s, $3 = ",
    "\ttwo lines', $3 = NULL",
    "@7 holds DETAIL:  parameters: $1 = 'a', $2 = '{}'",
    '@9 postgres LOG:  checkpoint starting: time',
    '@7 holds LOG:  statement: commit',
    '',
  ].join('\n');
  expect(statementsIn(log)).toEqual([
    { session: '7', user: 'holds', text: 'begin', values: [] },
    {
      session: '8',
      user: 'payments',
      text: 'insert into note\n  (id, text) values ($1, $2)',
      values: ['7', "it's, $3 = \ntwo lines", null],
    },
    { session: '7', user: 'holds', text: 'select 1 where $1 = any($2)', values: ['a', '{}'] },
    { session: '7', user: 'holds', text: 'commit', values: [] },
  ]);
});
