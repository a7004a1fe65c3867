import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { groups } from './named-programs.ts';

const root = path.join(import.meta.dirname, '..');
const run = (...args: string[]) =>
  spawnSync(process.execPath, [path.join(root, 'dev/run-named.ts'), ...args], { encoding: 'utf8' });

describe('programs that are run by name', () => {
  test('each is a file, and each group is a script of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    for (const [name, { unnamed, programs }] of Object.entries(groups)) {
      const names = Object.keys(programs);
      expect(scripts[name]).toBe(`node dev/launch.mjs dev/run-named.ts ${name}`);
      expect(Object.values(programs).filter(([file]) => !existsSync(path.join(root, file)))).toEqual([]);
      expect([undefined, ...names]).toContain(unnamed);
    }
  });

  test('a group without a program for no name lists its names', () => {
    const { status, stderr } = run('drill');
    expect(status).toBe(0);
    for (const name of Object.keys(groups['drill']?.programs ?? {})) expect(stderr).toContain(`  ${name} `);
  });

  test('an unknown name is a wrong command line and lists the names', () => {
    const { status, stderr } = run('bench', 'paris');
    expect(status).toBe(64);
    expect(stderr).toContain('  pairs ');
    expect(stderr).toContain('There is no "paris".');
  });

  test('the arguments after the name are those of the program, also without a name', () => {
    expect(run('docs', 'generated', '--odd').stderr).toContain("Unknown option '--odd'");
    const { stderr } = run('docs', '--odd');
    expect(stderr).toContain('npm run docs -- NAME\n');
    expect(stderr).toContain("Unknown option '--odd'");
  });
});
