import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openPosition } from './position.ts';

test('two listeners with keys of their own keep each other’s cursor and secret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cobro-listen-'));
  try {
    const open = (key: string) => openPosition(join(folder, 'listen.json'), key);
    const [one, two] = [open('one'), open('two')];
    one.moveTo('first');
    two.moveTo('second');
    expect(open('one')).toMatchObject({ cursor: 'first', secret: one.secret });
    expect(open('two')).toMatchObject({ cursor: 'second', secret: two.secret });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
