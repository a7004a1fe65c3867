import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { bugs } from './bugs.ts';

test.each(bugs)('$name: the line that it changes is there, once', ({ file, from, to }) => {
  const source = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  expect(source.split(from)).toHaveLength(2);
  expect(to).not.toBe(from);
});
