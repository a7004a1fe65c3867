import { runCommand } from '../seed/run-command.ts';

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
  const given = ['--organization', organizationId, '--serial', code];
  const { key = '' } = await runCommand(databaseUrl, 'terminals', 'create', ...given);
  return { code, key };
}
