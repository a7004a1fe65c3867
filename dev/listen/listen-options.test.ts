import { expect, test } from '@jest/globals';
import { readListenOptions } from './listen-options.ts';

test('nothing needs to be given', () => {
  expect(readListenOptions([])).toEqual({ forwardTo: undefined, sinceMs: undefined, types: [] });
});

test('everything may be given', () => {
  const args = [
    '--forward-to',
    'http://localhost:3000/hooks',
    '--since',
    '2h',
    '--type',
    'payment.*',
    '--type=hold.placed',
  ];
  expect(readListenOptions(args)).toEqual({
    forwardTo: new URL('http://localhost:3000/hooks'),
    sinceMs: 7_200_000,
    types: ['payment.*', 'hold.placed'],
  });
});

test.each([
  [['--since', '1w'], '--since 1w is no time like 30s, 5m, 1h or 2d.'],
  [['--since', '-1h'], /ambiguous/],
  [['--forward-to', 'localhost:3000'], '--forward-to localhost:3000 is no http address.'],
  [['--forward', 'x'], /Unknown option/],
])('%j is refused', (args, sentence) => {
  expect(() => readListenOptions(args)).toThrow(sentence);
});
