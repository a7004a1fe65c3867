import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NODE_ARGUMENTS } from '@cobro/service-kit/node-arguments.ts';
import type { Run } from './run.ts';
import { repositoryFolder, runsFolder, stackFolder } from './run-record.ts';

/** Where Node keeps what it has compiled, for all processes of this checkout (NODE_COMPILE_CACHE). */
export const compiledFolder = join(stackFolder, 'compiled');
const packedFolder = join(stackFolder, 'packed');

const MOST_MS = 60_000;

/** The main files of services, adapters and simulators, from the root of the repository. */
export const mains = () =>
  globSync(['services/*/src/main.ts', 'acquirers/*/src/main.ts', 'simulators/{bank,localstripe}/src/main.ts'], {
    cwd: repositoryFolder,
  }).toSorted();

const TELEMETRY = 'libs/service-kit/src/telemetry.ts';
const CHECKED_ANSWERS = 'test/support/src/check-answers.ts';
/** Modules that are loaded into a process before its program, and packed with it, because they share its modules. */
const PRELOADED = [TELEMETRY, CHECKED_ANSWERS, 'test/crash/die-at.ts'];
/** Commands that tests and the stack run. They are not compiled here: each ends by itself, and Node then keeps what it compiled. */
const COMMANDS = [
  'dev/admin.ts',
  'dev/trace.ts',
  'ops/image/main.ts',
  'ops/conformance/main.ts',
  'services/gateway/src/admin.ts',
  'services/payments/src/admin.ts',
];
const SOURCES = [
  '{libs,services,acquirers,simulators,web}/*/src/**/*.ts',
  '{dev,ops}/**/*.ts',
  'deploy/images/pack.ts',
  'test/support/src/check-*.ts',
  'test/crash/*.ts',
];

/** Where programs are packed, and how Node starts one of them. */
export interface Packed {
  folder: string;
  /** Where the program or command with this file is. */
  fileOf: (source: string) => string;
  /** Node's arguments for the program with this file. If `checked`, it checks its answers against their contracts. */
  argumentsFor: (main: string, options?: { checked: boolean }) => string[];
}

/**
 * Packs all programs, again when a source has changed, while the servers start, and has Node compile them: that halves the CPU of a start
 * (ADR 13). Each state of the sources has its own folder, because another run may restart its processes from an older one.
 */
export async function packPrograms(run: Run): Promise<Packed> {
  const state = `${process.version} ${NODE_ARGUMENTS.join(' ')} ${new Date(lastChange()).toISOString()}`;
  const folder = join(packedFolder, createHash('sha256').update(state).digest('hex').slice(0, 16));
  const mine = join(run.folder, 'packed');
  if (!existsSync(mine)) symlinkSync(folder, mine);
  if (!existsSync(join(folder, 'done'))) {
    removeUnused();
    await packInto(run, folder);
    // Node writes what it compiled when a process ends. A program without an environment ends as soon as it has loaded everything.
    for (const main of mains()) await compile(run, argumentsIn(folder, main));
    writeFileSync(join(folder, 'done'), `${state}\n`);
  }
  return {
    folder,
    fileOf: (source) => packedFile(folder, source),
    argumentsFor: (main, { checked } = { checked: false }) =>
      argumentsIn(folder, main, checked ? [TELEMETRY, CHECKED_ANSWERS] : [TELEMETRY]),
  };
}

const packedFile = (folder: string, source: string): string => join(folder, source.replace(/\.ts$/, '.js'));

const argumentsIn = (folder: string, main: string, preloaded = [TELEMETRY]) => [
  ...NODE_ARGUMENTS,
  ...preloaded.flatMap((source) => ['--import', packedFile(folder, source)]),
  packedFile(folder, main),
];

async function packInto(run: Run, folder: string): Promise<void> {
  // Imported here, so that esbuild is loaded only for packing.
  const { pack } = await import('../../deploy/images/pack.ts');
  const out = `${folder}.${run.id}`;
  const packTogether = (sources: string[]) =>
    pack({
      root: repositoryFolder,
      programs: Object.fromEntries(sources.map((source) => [source.replace(/\.ts$/, ''), source])),
      out,
      rootWhenRun: JSON.stringify(pathToFileURL(`${repositoryFolder}/`).href),
    });
  await packTogether([...mains(), ...PRELOADED]);
  // Packed with the programs, they would cut the shared code into more and smaller files.
  await packTogether(COMMANDS);
  try {
    renameSync(out, folder);
  } catch (error) {
    // Another run has been faster.
    rmSync(out, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

async function compile(run: Run, args: string[]): Promise<void> {
  const child = run.spawn({
    name: 'compile',
    command: process.execPath,
    args,
    cwd: repositoryFolder,
    // With an address for spans, so that telemetry is compiled too; nothing is sent.
    env: { NODE_COMPILE_CACHE: compiledFolder, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
  });
  const late = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
  await once(child, 'exit');
  clearTimeout(late);
}

/** Removes packed folders that no run uses. */
function removeUnused(): void {
  mkdirSync(packedFolder, { recursive: true });
  const links = globSync('*/packed', { cwd: runsFolder }).map((link) => join(runsFolder, link));
  const used = new Set(links.map((link) => basename(readlinkSync(link))));
  for (const name of readdirSync(packedFolder)) {
    if (!used.has(name.split('.', 1)[0] ?? '')) rmSync(join(packedFolder, name), { recursive: true, force: true });
  }
}

/** When a source was changed last, in milliseconds of the epoch. */
const lastChange = (): number =>
  globSync([...SOURCES, 'package-lock.json'], { cwd: repositoryFolder })
    .filter((file) => !file.endsWith('.test.ts'))
    .reduce((newest, file) => Math.max(newest, statSync(join(repositoryFolder, file)).mtimeMs), 0);
