/**
 * `npm run trace -- ID`: the timeline of a payment (docs/tracing.md), from the stack of this checkout or of the record that STACK_FILE
 * names. If none runs, it is read where the environment or the options say, else from the spans of the last run.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stackFolder } from './stack/run-record.ts';
import { runningStack } from './stack/running-stack.ts';
import { runTrace } from '../ops/trace/run-trace.ts';

function environment(): Record<string, string | undefined> {
  const stack = runningStack();
  if (stack !== undefined) return { DATABASE_URL: stack.databaseUrl, SPANS_FILE: stack.spansFile };
  const isDeployment = Object.keys(process.env).some((name) => name.endsWith('DATABASE_URL'));
  const lastRun = join(stackFolder, 'spans.jsonl');
  return { ...process.env, ...(!isDeployment && existsSync(lastRun) && { SPANS_FILE: lastRun }) };
}

process.exitCode = await runTrace({
  args: process.argv.slice(2),
  env: environment(),
  prefix: 'npm run trace --',
  stdout: process.stdout,
  stderr: process.stderr,
});
