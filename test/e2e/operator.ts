import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packedFile } from '@cobro/testing/test-process.ts';
import { repositoryFolder } from '../../dev/stack/run-record.ts';
import type { Stack } from '../../dev/stack/stack.ts';

/** `npm run admin -- <args> --json` as its own process, on this stack. @throws if it does not exit with 0 */
export async function runAdmin<Result>(stack: Stack, ...args: string[]): Promise<Result> {
  const { stdout } = await run(stack, 'dev/admin.ts', [...args, '--json']);
  return JSON.parse(stdout) as Result;
}

/** `npm run trace -- <args>` as its own process, on this stack. Returns its exit code and its stdout. */
export const traceOf = (stack: Stack, ...args: string[]): Promise<{ code: number; text: string }> =>
  run(stack, 'dev/trace.ts', args).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, text: stdout }),
  );

function run(stack: Stack, program: string, args: string[]) {
  const { databaseUrl, brokerUrl, eventsPrefix, spansFile } = stack;
  const record = join(stack.run.folder, 'operator.json');
  writeFileSync(record, JSON.stringify({ databaseUrl, brokerUrl, eventsPrefix, spansFile }), { mode: 0o600 });
  return promisify(execFile)(process.execPath, [packedFile(program), ...args], {
    cwd: repositoryFolder,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], STACK_FILE: record },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 60_000,
  });
}
