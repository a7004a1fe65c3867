import { spawnSync } from 'node:child_process';
import { inFull } from '@cobro/testing/in-full.ts';
import { describe, expect, test } from '@jest/globals';

const isWanted = inFull && spawnSync('go', ['version']).status === 0;

(isWanted ? describe : describe.skip)('the judge of histories', () => {
  test('finds what the interface does not allow, and nothing else', () => {
    const { status, stdout, stderr } = spawnSync('go', ['test', './...'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
  });
});
