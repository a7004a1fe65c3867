/**
 * `npm run drill -- planted [--only 'WORDS,MORE WORDS' --part 1/2 --together --minutes 0.5 --seed 1]`: plants one bug after the other in
 * a copy of the tree, does the chaos run there on a small stack, and prints which check saw it. `--together` plants bugs that different
 * checks have to see at once. Exits with 1 if none of its checks saw a bug, or if a check finds something before any bug is planted, as
 * on a machine that is too slow.
 */
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { optionsOf } from '../../bench/bench-program.ts';
import { inOwnRun } from '../../dev/stack/in-own-run.ts';
import type { Run } from '../../dev/stack/run.ts';
import { lastLines } from '../../dev/stack/servers/private-server.ts';
import { type Bug, bugs } from './bugs.ts';
import { copyTree } from './copy-tree.ts';

const options = optionsOf({ only: '', part: '1/1', together: false, minutes: 0.5, seed: 1 });

async function main(run: Run): Promise<number> {
  const [part = 1, parts = 1] = options.part.split('/').map(Number);
  const words = options.only.split(',');
  const wanted = bugs.filter(({ name }, n) => words.some((one) => name.includes(one)) && n % parts === part - 1);
  const folder = join(run.dataFolder, 'planted');
  copyTree(folder);
  const sound = Object.entries(await plant(run, folder, []));
  for (const [check, sentence] of sound) process.stdout.write(`NOTHING PLANTED, and ${check}: ${sentence}\n`);
  if (sound.length > 0) return 1;
  let missed = 0;
  for (const planted of options.together ? grouped(wanted) : wanted.map((bug) => [bug])) {
    const begun = performance.now();
    const found = await plant(run, folder, planted);
    const seconds = (performance.now() - begun) / 1_000;
    process.stdout.write(`in ${seconds.toFixed(0)} s:\n`);
    for (const { name, seenBy } of planted) {
      const by = seenBy.filter((check) => found[check] !== undefined);
      if (by.length === 0) missed++;
      process.stdout.write(`${by.length > 0 ? 'SEEN  ' : 'MISSED'} ${name}: ${by.join(', ')}\n`);
    }
    for (const [check, sentence] of Object.entries(found))
      process.stdout.write(`       ${check}: ${sentence.slice(0, 1_000)}\n`);
  }
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`${wanted.length - missed} of ${wanted.length} bugs were seen\n`);
  return missed === 0 ? 0 : 1;
}

/** Groups bugs that no check confuses and that need the same number of replicas. */
function grouped(wanted: readonly Bug[]): Bug[][] {
  const groups: Bug[][] = [];
  for (const bug of wanted) {
    const fits = (group: Bug[]) =>
      group.every(
        (other) =>
          other.replicas === bug.replicas &&
          other.file !== bug.file &&
          !other.seenBy.some((check) => bug.seenBy.includes(check)),
      );
    const group = groups.find(fits);
    if (group === undefined) groups.push([bug]);
    else group.push(bug);
  }
  return groups;
}

/** Does the chaos run in the copy with these bugs, and removes them again. Returns each check's first finding, by the check's name. */
async function plant(run: Run, folder: string, planted: readonly Bug[]): Promise<Record<string, string>> {
  const sources = planted.map(({ file }) => readFileSync(join(folder, file), 'utf8'));
  for (const [n, { file, from, to }] of planted.entries())
    writeFileSync(join(folder, file), sources[n]?.replace(from, () => to) ?? '');
  const out = join(folder, '.stack/chaos');
  rmSync(out, { recursive: true, force: true });
  const replicas = Math.max(1, ...planted.map((bug) => bug.replicas ?? 1));
  const minutes = Math.max(options.minutes, ...planted.map((bug) => bug.minutes ?? 0));
  const faults = [...new Set(planted.flatMap((bug) => bug.faults))];
  const small = ['--replicas', String(replicas), '--shops', '4', '--tills', '12', '--balanced-within', '45'];
  const asked = [`--minutes=${minutes}`, `--seed=${options.seed}`, `--only=${faults.join(',')}`, `--out=${out}`];
  const child = run.spawn({
    name: 'planted',
    command: process.execPath,
    args: [join(folder, 'test/chaos/chaos.ts'), ...small, ...asked],
    env: process.env,
    cwd: folder,
  });
  await once(child, 'exit');
  for (const [n, { file }] of planted.entries()) writeFileSync(join(folder, file), sources[n] ?? '');
  const result = join(out, 'result.json');
  if (!existsSync(result)) return { 'the run': `did not end: ${lastLines(run.logFile('planted'))}` };
  const { findings } = JSON.parse(readFileSync(result, 'utf8')) as { findings: Record<string, string[]> };
  return Object.fromEntries(
    Object.entries(findings).flatMap(([check, [first]]) => (first === undefined ? [] : [[check, first]])),
  );
}

await inOwnRun(main);
