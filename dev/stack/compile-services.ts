import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_ARGUMENTS } from '@cobro/service-kit/node-arguments.ts';
import type { Run } from './run.ts';
import { repositoryFolder, stackFolder } from './run-record.ts';

/** Where Node keeps what it has compiled, for all processes of this checkout (NODE_COMPILE_CACHE). */
export const compiledFolder = join(stackFolder, 'compiled');

const MOST_MS = 60_000;

/**
 * Compiles all services, again when a source has changed, while the servers start: a process that finds its code compiled starts a third
 * sooner and never loads the TypeScript compiler, which takes 16 MB. Node writes what it compiled when a process ends. A service
 * without an environment ends as soon as it has loaded everything.
 */
export async function compileServices(run: Run, folder = compiledFolder, programs = mains()): Promise<void> {
  const done = join(folder, 'done');
  const compiled = `${process.version} ${NODE_ARGUMENTS.join(' ')} ${new Date(lastChange()).toISOString()}\n`;
  if (contentOf(done) === compiled) return;
  // One after the other: each finds what the ones before it have compiled.
  for (const main of programs) {
    const child = run.spawn({
      name: 'compile',
      command: process.execPath,
      args: [...NODE_ARGUMENTS, TELEMETRY, main],
      cwd: repositoryFolder,
      // With an address for spans, so that telemetry is compiled too; nothing is sent.
      env: { NODE_COMPILE_CACHE: folder, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
    });
    const late = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
    await once(child, 'exit');
    clearTimeout(late);
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(done, compiled);
}

export const TELEMETRY = '--import=@cobro/service-kit/telemetry.ts';

/** The files that services and the bank are started by, from the root of the repository. */
export const mains = () =>
  globSync(['services/*/src/main.ts', 'acquirers/*/src/main.ts', 'simulators/bank/src/main.ts'], {
    cwd: repositoryFolder,
  }).toSorted();

const SOURCES = ['{libs,services,acquirers}/*/src/**/*.ts', 'simulators/bank/src/**/*.ts', 'package-lock.json'];

/** When a source was changed last, in milliseconds of the epoch. */
const lastChange = (): number =>
  globSync(SOURCES, { cwd: repositoryFolder })
    .filter((file) => !file.endsWith('.test.ts'))
    .reduce((newest, file) => Math.max(newest, statSync(join(repositoryFolder, file)).mtimeMs), 0);

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
