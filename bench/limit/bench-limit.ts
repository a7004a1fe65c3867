/**
 * `npm run bench -- limit [--seconds 5 --rounds 3 --at-once 16 --json FILE]`: Postgres' CPU for a pair of ours
 * beside pgbench's for the same statements, which is the least that the work can cost.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Sentence, reportFailure } from '../../dev/stack/servers/server.ts';
import { openBoundedRun, startNativeStack } from '../native-stack.ts';
import { measurePostgres } from './postgres-limit.ts';
import { printPostgres } from './print-limit.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    'at-once': { type: 'string', default: '16' },
    json: { type: 'string' },
  },
});
const say = (line: string) => void process.stderr.write(`${line}\n`);
const options = {
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  atOnce: Number(values['at-once']),
  say,
};
const LONGEST_RUN_SECONDS = 30;
const LONGEST_MINUTES = 20;

async function bench(): Promise<void> {
  if (!(options.seconds > 0 && options.seconds <= LONGEST_RUN_SECONDS)) {
    throw new Sentence(`--seconds is how long a run takes: more than 0, and ${LONGEST_RUN_SECONDS} at most.`);
  }
  const run = openBoundedRun(LONGEST_MINUTES, say);
  const stack = await startNativeStack(run, say);
  try {
    const postgres = await measurePostgres(stack, options);
    printPostgres(postgres);
    if (values.json !== undefined) {
      writeFileSync(values.json, `${JSON.stringify({ ...options, postgres }, null, 2)}\n`);
    }
  } finally {
    await stack.stop();
  }
}

await bench().catch((error: unknown) => process.exit(reportFailure(say)(error)));
process.exit();
