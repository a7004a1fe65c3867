import { expect, test } from '@jest/globals';
import { ownHeaders } from './retry-or-park.ts';

test('what is put aside keeps its producer’s headers, but none that the broker wrote or by which it would send copies', () => {
  const headers = { 'x-death': [], traceparent: '00-1-2-01', CC: ['payments'], BCC: ['payments'] };
  expect(ownHeaders(headers)).toEqual({ traceparent: '00-1-2-01' });
});
