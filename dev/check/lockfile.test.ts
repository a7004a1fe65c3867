import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const script = path.join(import.meta.dirname, '../complete-lockfile.mjs');
const manifest = { name: 'shop', workspaces: ['libs/*'], devDependencies: { linter: '2.0.0' } };
const lib = { name: '@shop/lib', dependencies: { zod: '4.6.7' } };
let root = '';

const packages = {
  '': manifest,
  'libs/lib': lib,
  'node_modules/@shop/lib': { resolved: 'libs/lib', link: true },
  'node_modules/linter': {
    version: '2.0.0',
    dev: true,
    optionalDependencies: {
      '@linter/binding-linux-x64-gnu': '2.0.0',
      '@linter/binding-linux-arm64-musl': '2.0.0',
      '@linter/win32-x64-msvc': '2.0.0',
    },
  },
  'node_modules/linter/node_modules/@linter/binding-linux-x64-gnu': { version: '2.0.0', optional: true },
  'node_modules/zod': { version: '4.6.7' },
};

function write(file: string, content: object): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), JSON.stringify(content));
}

function run(...args: string[]): { status: number | null; stderr: string } {
  return spawnSync(process.execPath, [script, ...args, '--root', root], { encoding: 'utf8' });
}

const lockfile = () => readFileSync(path.join(root, 'package-lock.json'), 'utf8');

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'cobro-lockfile-'));
  write('package.json', manifest);
  write('libs/lib/package.json', lib);
  write('package-lock.json', { lockfileVersion: 3, packages });
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

describe('the lockfile check', () => {
  test('names each platform package that has no entry', () => {
    const { status, stderr } = run('--check');
    expect(status).toBe(1);
    expect(stderr).toContain('@linter/binding-linux-arm64-musl, wanted by node_modules/linter, has no entry.');
    expect(stderr).not.toContain('binding-linux-x64-gnu');
  });

  test('passes once the lockfile is completed, which a second time changes nothing', () => {
    expect(run().status).toBe(0);
    expect(run('--check')).toMatchObject({ status: 0, stderr: '' });
    const completed = lockfile();
    expect(JSON.parse(completed).packages).toMatchObject({
      'node_modules/@linter/binding-linux-arm64-musl': {
        version: '2.0.0',
        os: ['linux'],
        cpu: ['arm64'],
        libc: ['musl'],
        dev: true,
        optional: true,
      },
      'node_modules/@linter/win32-x64-msvc': { version: '2.0.0', os: ['win32'], cpu: ['x64'] },
    });
    expect(run().status).toBe(0);
    expect(lockfile()).toBe(completed);
  });

  test('fails on the address of a registry', () => {
    run();
    const completed = JSON.parse(lockfile());
    completed.packages['node_modules/zod'].resolved = 'https://registry.example/zod.tgz';
    write('package-lock.json', completed);
    expect(run('--check')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('node_modules/zod has an address in "resolved".'),
    });
  });

  test('fails on a package.json that wants what the lockfile does not have', () => {
    run();
    write('libs/lib/package.json', { ...lib, dependencies: { zod: '5.0.0' } });
    expect(run('--check')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('libs/lib/package.json wants other packages than the lockfile.'),
    });
  });
});
