/**
 * `npm run bench -- limit [--seconds 5 --rounds 3 --at-once 16]`: Postgres' CPU for a pair of ours beside pgbench's for the same
 * statements, which is the least that the work can cost.
 */
import { Sentence } from '../../dev/stack/servers/server.ts';
import { optionsOf, runBench } from '../bench-program.ts';
import { startNativeStack } from '../native-stack.ts';
import { measurePostgres } from './postgres-limit.ts';
import { printPostgres } from './print-limit.ts';

const { seconds, rounds, 'at-once': atOnce } = optionsOf({ seconds: 5, rounds: 3, 'at-once': 16 });
const LONGEST_RUN_SECONDS = 30;
const LONGEST_MINUTES = 20;

async function bench(): Promise<void> {
  if (!(seconds > 0 && seconds <= LONGEST_RUN_SECONDS)) {
    throw new Sentence(`--seconds is how long a run takes: more than 0, and ${LONGEST_RUN_SECONDS} at most.`);
  }
  const stack = await startNativeStack(LONGEST_MINUTES);
  try {
    printPostgres(await measurePostgres(stack, { seconds, rounds, atOnce }));
  } finally {
    await stack.stop();
  }
}

await runBench(bench);
