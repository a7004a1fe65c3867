import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runAdmin } from '@cobro/service-kit/run-admin.ts';
import { terminalCommands } from '../../ops/terminal-commands.ts';

/** A terminal with the key that it sends as x-terminal-key. */
export interface StackTerminal {
  code: string;
  key: string;
}

/**
 * Registers a terminal and makes its key, as an operator would, but without a process for it. `databaseUrl` is the
 * administrator's.
 */
export async function createTerminal(
  databaseUrl: string,
  { organizationId, code }: { organizationId: string; code: string },
): Promise<StackTerminal> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const exitCode = await runAdmin({
    tables: [terminalCommands],
    args: ['terminals', 'create', '--organization', organizationId, '--serial', code, '--json'],
    env: { DATABASE_URL: databaseUrl },
    stdout,
    stderr,
  });
  const [made, sentence] = await Promise.all([text(stdout.end()), text(stderr.end())]);
  if (exitCode !== 0) throw new Error(`terminals create ended with ${exitCode}: ${sentence}`);
  return { code, key: (JSON.parse(made) as { key: string }).key };
}
