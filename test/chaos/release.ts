import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '@cobro/postgres/migrate.ts';
import { NODE_ARGUMENTS } from '@cobro/service-kit/node-arguments.ts';
import type { withCommands } from '../../dev/seed/run-command.ts';
import { say } from '../../dev/stack/in-own-run.ts';
import type { Packed } from '../../dev/stack/pack-programs.ts';
import { repositoryFolder, stackFolder } from '../../dev/stack/run-record.ts';
import type { Run } from '../../dev/stack/run.ts';
import { Sentence } from '../../dev/stack/servers/server.ts';

const PAGE = 'docs/operations/upgrade.md';

/**
 * The programs, schemas and operators' commands of release 0.1.0. The simulators stay those of `today`: a rollback does not change the
 * bank.
 */
export async function release01(run: Run, today: Packed) {
  const folder = checkOut(run, releaseCommit());
  const fileOf = (source: string) => join(folder, source);
  const load = (source: string): Promise<unknown> => import(fileOf(source));
  const frame = (await load('libs/frame/src/definition.ts')) as { schemaOf: (definition: unknown) => Schema };
  const services = (await load('services/definitions.ts')) as { definitions: readonly unknown[] };
  const commands = (await load('dev/seed/run-command.ts')) as { withCommands: typeof withCommands };
  const preloaded = (checked = false) => [
    'libs/service-kit/src/telemetry.ts',
    ...(checked ? ['test/support/src/check-answers.ts'] : []),
  ];
  const packed: Packed = {
    folder,
    fileOf,
    argumentsFor: (program, options) =>
      program.startsWith('services/')
        ? [
            ...NODE_ARGUMENTS,
            ...preloaded(options?.checked).flatMap((source) => ['--import', fileOf(source)]),
            fileOf(program),
          ]
        : today.argumentsFor(program, options),
  };
  return { packed, schemas: services.definitions.map(frame.schemaOf), commands: commands.withCommands };
}

function releaseCommit(): string {
  const page = readFileSync(join(repositoryFolder, PAGE), 'utf8');
  const commit = /^Release 0\.1\.0 is the commit ([0-9a-f]{40})\.$/m.exec(page)?.[1];
  if (commit === undefined) throw new Sentence(`${PAGE} does not say which commit release 0.1.0 is.`);
  return commit;
}

/** The folder of that commit's files and packages. It is kept for the next run. */
function checkOut(run: Run, commit: string): string {
  const folder = join(stackFolder, 'releases', commit);
  // Without its own packages it would use those of this checkout.
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return folder;
  say('fetching the packages of 0.1.0');
  const half = `${folder}.${run.id}`;
  mkdirSync(half, { recursive: true });
  const files = orSay(`This clone lacks the commit of release 0.1.0, ${commit}: git fetch --unshallow.`, () =>
    execFileSync('git', ['archive', commit], { cwd: repositoryFolder, maxBuffer: 2 ** 30, stdio: 'pipe' }),
  );
  execFileSync('tar', ['-x', '-C', half], { input: files });
  orSay('The packages of release 0.1.0 cannot be fetched from the npm registry.', () =>
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: half, stdio: 'pipe' }),
  );
  rmSync(folder, { recursive: true, force: true });
  renameSync(half, folder);
  return folder;
}

function orSay<T>(sentence: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Sentence(sentence, { cause: error });
  }
}
