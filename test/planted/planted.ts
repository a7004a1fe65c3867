/**
 * `npm run drill -- planted [--only WORDS --part 1/2 --minutes 0.5 --seed 1]`: plants one bug after the other in a copy of the tree, runs the
 * chaos run there on a small stack, and says which check saw it. Exits with 1 where a bug was not seen by a check that has to see it.
 */
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openRun } from '../../dev/stack/run.ts';
import { reportFailure } from '../../dev/stack/servers/server.ts';
import { stopOnSignals } from '../../dev/stack/stop-on-signals.ts';
import { type Bug, bugs } from './bugs.ts';
import { copyTree } from './copy-tree.ts';

const options = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    part: { type: 'string', default: '1/1' },
    minutes: { type: 'string', default: '0.5' },
    seed: { type: 'string', default: '1' },
  },
}).values;
const say = (line: string) => void process.stderr.write(`${line}\n`);

const run = openRun();
const interrupted = stopOnSignals(run, say);

interface Seen {
  bug: Bug;
  /** By the name of the check, what it said first. */
  found: Record<string, string>;
  seconds: number;
}

async function main(): Promise<number> {
  const [part = 1, parts = 1] = options.part.split('/').map(Number);
  const wanted = bugs.filter(({ name }, n) => name.includes(options.only) && n % parts === part - 1);
  const folder = join(run.dataFolder, 'planted');
  copyTree(folder);
  let missed = 0;
  for (const bug of wanted) {
    const { found, seconds } = await plant(folder, bug);
    const by = Object.keys(found);
    const isSeen = by.some((check) => bug.seenBy.includes(check));
    if (!isSeen) missed++;
    process.stdout.write(`${isSeen ? 'SEEN  ' : 'MISSED'} ${bug.name} (${seconds.toFixed(0)} s)\n`);
    for (const [check, sentence] of Object.entries(found))
      process.stdout.write(`       ${check}: ${sentence.slice(0, 160)}\n`);
  }
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`${wanted.length - missed} of ${wanted.length} bugs were seen\n`);
  return missed === 0 ? 0 : 1;
}

/** Runs the chaos run in the copy with the bug in it, and takes the bug out again. */
async function plant(folder: string, bug: Bug): Promise<Seen> {
  const file = join(folder, bug.file);
  const source = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    source.replace(bug.from, () => bug.to),
  );
  const out = join(folder, '.stack/chaos');
  rmSync(out, { recursive: true, force: true });
  const begun = performance.now();
  const small = ['--replicas', String(bug.replicas ?? 1), '--shops', '4', '--tills', '12'];
  const minutes = bug.minutes ?? options.minutes;
  const args = [
    ...small,
    '--minutes',
    String(minutes),
    '--seed',
    options.seed,
    '--only',
    bug.faults.join(','),
    '--out',
    out,
  ];
  const child = run.spawn({
    name: 'planted',
    command: process.execPath,
    args: [join(folder, 'test/chaos/chaos.ts'), ...args, '--balanced-within', '45'],
    env: process.env,
    cwd: folder,
  });
  await once(child, 'exit');
  writeFileSync(file, source);
  const result = join(out, 'result.json');
  if (!existsSync(result)) throw new Error(`${bug.name}: the run did not end (${run.logFile('planted')})`);
  const { findings } = JSON.parse(readFileSync(result, 'utf8')) as { findings: Record<string, string[]> };
  const found = Object.fromEntries(
    Object.entries(findings).flatMap(([check, [first]]) => (first === undefined ? [] : [[check, first]])),
  );
  return { bug, found, seconds: (performance.now() - begun) / 1_000 };
}

const code = await main().catch((error: unknown) => (interrupted() ? 130 : reportFailure(say)(error)));
await run.stop();
process.exit(code);
