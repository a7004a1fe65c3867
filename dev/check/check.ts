/** Runs every check that needs no server (`npm run check`), or one of them (`npm run check -- lint`). */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';

interface Check {
  name: string;
  command: string;
  args: string[];
}

/**
 * The build info in `.stack` spares files that, like their imports, have not changed since the last run. With several checkers, each would
 * check the shared imports again.
 */
const typesOf = (project: string, name: string) => {
  const kept = ['--incremental', '--tsBuildInfoFile', `.stack/${name}.tsbuildinfo`];
  return ['--noEmit', '-p', project, '--checkers', '1', ...kept];
};

const checks: Check[] = [
  { name: 'types', command: 'tsc', args: typesOf('tsconfig.json', 'types') },
  { name: 'browser-types', command: 'tsc', args: typesOf('test/browser/tsconfig.json', 'browser-types') },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'imports', command: 'node', args: ['dev/check/imports.ts'] },
  { name: 'dead-code', command: 'knip', args: ['--include-entry-exports', '--no-progress', '--no-config-hints'] },
  { name: 'format', command: 'oxfmt', args: ['--check'] },
  { name: 'lockfile', command: 'node', args: ['dev/complete-lockfile.mjs', '--check'] },
  { name: 'sentences', command: 'node', args: ['dev/check/sentences.ts'] },
  { name: 'docs', command: 'node', args: ['dev/docs/write.ts', '--check'] },
  { name: 'deploy', command: 'node', args: ['deploy/generator/write.ts', '--check'] },
];

const root = path.join(import.meta.dirname, '../..');
const binaries = path.join(root, 'node_modules/.bin');
const env = { ...process.env, PATH: [binaries, process.env['PATH']].join(path.delimiter) };

/** Prints one line, and the check's output if it failed. Returns true if it passed. */
async function run({ name, command, args }: Check): Promise<boolean> {
  const started = performance.now();
  const program = command === 'node' ? process.execPath : path.join(binaries, command);
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const passed = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      output += `${error.message}\n`;
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${passed ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (!passed) console.log(output.trimEnd());
  return passed;
}

async function runAll(wanted: Check[]): Promise<boolean> {
  const waiting = [...wanted];
  let passed = true;
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) passed = (await run(check)) && passed;
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
  return passed;
}

const only = process.argv[2];
const wanted = only === undefined ? checks : checks.filter(({ name }) => name === only);
if (wanted.length === 0) {
  console.error(`There is no check "${only}": ${checks.map(({ name }) => name).join(', ')}.`);
  process.exitCode = 1;
} else if (!(await runAll(wanted))) {
  process.exitCode = 1;
}
