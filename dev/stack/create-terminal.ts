import { runCommand } from '@cobro/testing/run-command.ts';
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
  const {
    code: exitCode,
    out,
    err,
  } = await runCommand({
    tables: [terminalCommands],
    args: ['terminals', 'create', '--organization', organizationId, '--serial', code, '--json'],
    env: { DATABASE_URL: databaseUrl },
  });
  if (exitCode !== 0) throw new Error(`terminals create ended with ${exitCode}: ${err}`);
  return { code, key: (JSON.parse(out) as { key: string }).key };
}
