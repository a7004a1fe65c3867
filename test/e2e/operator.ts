import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryFolder } from '../../tools/stack/run-record.ts';
import type { Stack } from '../../tools/stack/stack.ts';

/** `npm run admin -- <args> --json` as a process of its own, on this stack. @throws where it exits with another code than 0 */
export async function runAdmin<Result>(stack: Stack, ...args: string[]): Promise<Result> {
  const { DATABASE_URL = '' } = stack.processes.environmentOf('gateway');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(repositoryFolder, 'tools/admin.ts'), ...args, '--json'],
    {
      cwd: repositoryFolder,
      env: {
        PATH: process.env['PATH'] ?? '',
        DATABASE_URL,
        AMQP_URL: stack.brokerUrl,
        EVENTS_PREFIX: stack.eventsPrefix,
      },
      timeout: 60_000,
    },
  );
  return JSON.parse(stdout) as Result;
}
