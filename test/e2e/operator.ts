import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryFolder } from '../../tools/stack/run-record.ts';
import type { Stack } from '../../tools/stack/stack.ts';

/** `npm run admin -- <args> --json` as a process of its own, on this stack. @throws where it exits with another code than 0 */
export async function runAdmin<Result>(stack: Stack, ...args: string[]): Promise<Result> {
  const { databaseUrl, brokerUrl, eventsPrefix } = stack;
  const record = join(stack.run.folder, 'operator.json');
  writeFileSync(record, JSON.stringify({ databaseUrl, brokerUrl, eventsPrefix }), { mode: 0o600 });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'tools/admin.ts', ...args, '--json'],
    {
      cwd: repositoryFolder,
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], STACK_FILE: record },
      timeout: 60_000,
    },
  );
  return JSON.parse(stdout) as Result;
}
