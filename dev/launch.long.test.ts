import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const launcher = path.join(import.meta.dirname, 'launch.mjs');
const report = `console.log(JSON.stringify({ version: process.version, args: process.argv.slice(2) }));\n`;
const stubborn = `process.on('SIGTERM', () => process.exit(5));\nsetTimeout(() => {}, 60_000);\nconsole.log('up');\n`;
let root = '';

/** A checkout whose lockfile holds one workspace, so that npm needs no registry. */
function plant(): void {
  const manifest = { name: 'shop', version: '1.0.0', workspaces: ['libs/*'] };
  const lib = { name: '@shop/lib', version: '1.0.0' };
  const packages = {
    '': manifest,
    'libs/lib': lib,
    'node_modules/@shop/lib': { resolved: 'libs/lib', link: true },
  };
  for (const folder of ['dev', 'libs/lib', '.stack']) mkdirSync(path.join(root, folder), { recursive: true });
  copyFileSync(launcher, path.join(root, 'dev/launch.mjs'));
  writeFileSync(path.join(root, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(root, 'libs/lib/package.json'), JSON.stringify(lib));
  writeFileSync(
    path.join(root, 'package-lock.json'),
    JSON.stringify({ name: 'shop', version: '1.0.0', lockfileVersion: 3, requires: true, packages }),
  );
  writeFileSync(path.join(root, 'report.ts'), report);
  writeFileSync(path.join(root, 'stubborn.mjs'), stubborn);
}

const launch = (...args: string[]) => launchWith({}, ...args);

function launchWith(given: Record<string, string>, ...args: string[]): ChildProcess {
  // Code that is compiled for one test's checkout would be kept for nothing.
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined, ...given };
  return spawn(process.execPath, [path.join(root, 'dev/launch.mjs'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function resultOf(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

const nodePackage = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${process.platform}-${process.arch}`;

/** Pins a Node and plants npm's result in node_modules: without a link to the pinned Node, or without that Node. */
function plantInstalled({ withNode }: { withNode: boolean }): void {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const lockfile = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const pinned = { ...manifest, optionalDependencies: { [nodePackage]: '9.9.9' } };
  const location = `node_modules/${nodePackage}`;
  const node = { [location]: { version: '9.9.9', optional: true } };
  const write = (file: string, content: object) => writeFileSync(path.join(root, file), JSON.stringify(content));
  write('package.json', pinned);
  write('package-lock.json', { ...lockfile, packages: { ...lockfile.packages, '': pinned, ...node } });
  mkdirSync(path.join(root, 'node_modules/.bin'), { recursive: true });
  if (withNode) {
    mkdirSync(path.join(root, location, 'bin'), { recursive: true });
    write(`${location}/package.json`, { name: nodePackage, version: 'v9.9.9' });
    writeFileSync(path.join(root, location, 'bin/node'), `#!/bin/sh\nexec '${process.execPath}' "$@" --pinned\n`);
  }
  write('node_modules/.package-lock.json', { packages: { ...lockfile.packages, ...(withNode && node) } });
}

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'cobro-launch-'));
  plant();
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

describe('the launcher', () => {
  test('installs first where nothing is installed, and the second time only starts the entry', async () => {
    const first = await resultOf(launch('report.ts', 'one', '--two'));
    expect(first.stderr).toContain('running npm ci');
    const second = await resultOf(launch('report.ts', 'one', '--two'));
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(second.stdout)).toEqual({ version: process.version, args: ['one', '--two'] });
  });

  test('installs once when two start at the same time', async () => {
    const results = await Promise.all([resultOf(launch('report.ts')), resultOf(launch('report.ts'))]);
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    expect(results.filter(({ stderr }) => stderr.includes('running npm ci'))).toHaveLength(1);
  });

  test('is not held up by the lock of a launcher that died', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    symlinkSync(`${pid}:1`, path.join(root, '.stack/install.lock'));
    expect(await resultOf(launch('report.ts'))).toMatchObject({ code: 0 });
  });

  test('installs again when an install was cut short', async () => {
    await resultOf(launch('report.ts'));
    rmSync(path.join(root, 'node_modules/.package-lock.json'));
    expect((await resultOf(launch('report.ts'))).stderr).toContain('running npm ci');
  });

  test('gives up on a registry that says nothing, and tries once more', async () => {
    let connections = 0;
    const registry = createServer((socket) => {
      connections++;
      socket.on('error', () => {});
    });
    await once(registry.listen(0, '127.0.0.1'), 'listening');
    const at = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    const lockfile = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
    const dependencies = { unheard: '1.0.0' };
    const manifest = { ...lockfile.packages[''], dependencies };
    const unheard = { version: '1.0.0', resolved: `${at}unheard-1.0.0.tgz` };
    const packages = { ...lockfile.packages, '': manifest, 'node_modules/unheard': unheard };
    writeFileSync(path.join(root, 'package.json'), JSON.stringify(manifest));
    writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({ ...lockfile, packages }));
    const patience = { npm_config_fetch_timeout: '500', npm_config_fetch_retries: '0', npm_config_registry: at };
    const { code, stderr } = await resultOf(launchWith(patience, 'report.ts'));
    registry.close();
    expect(code).toBe(1);
    expect(connections).toBe(2);
    expect(stderr).toContain('npm ci waited for the registry in vain: trying once more.');
    expect(stderr.split('running npm ci')).toHaveLength(3);
  });

  test('runs the pinned Node also where npm has made no link to it, and makes that link', async () => {
    plantInstalled({ withNode: true });
    const { code, stdout, stderr } = await resultOf(launch('report.ts'));
    expect({ code, stderr, args: JSON.parse(stdout).args }).toEqual({ code: 0, stderr: '', args: ['--pinned'] });
    const linked = spawnSync(path.join(root, 'node_modules/.bin/node'), [path.join(root, 'report.ts')]);
    expect(JSON.parse(String(linked.stdout)).args).toEqual(['--pinned']);
  });

  test('runs the Node that runs it where the pinned one cannot be had', async () => {
    plantInstalled({ withNode: false });
    const { code, stdout, stderr } = await resultOf(launch('report.ts'));
    expect({ code, stderr, args: JSON.parse(stdout).args }).toEqual({ code: 0, stderr: '', args: [] });
  });

  test('passes a signal on and ends with the code of the entry', async () => {
    const child = launch('stubborn.mjs');
    const ended = resultOf(child);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 5 });
  });
});
