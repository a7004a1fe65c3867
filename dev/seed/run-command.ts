import type { CommandTable } from '@cobro/service-kit/admin-command.ts';
import { runCommand as runTables } from '@cobro/testing/run-command.ts';
import { adminTables } from '../../ops/admin-tables.ts';

/** What a creating command prints. `keyId` is the id of a key that is made together with its holder, or for it. */
interface Made {
  id: string;
  key?: string;
  keyId?: string;
}

/** Runs an operator's command in this process. @throws if the command fails */
export type RunCommand = (...args: string[]) => Promise<Made>;

/** Commands share their connections in `work`, because connecting takes longer than most commands. `databaseUrl` is the administrator's. */
export async function withCommands<T>(databaseUrl: string, work: (run: RunCommand) => Promise<T>): Promise<T> {
  const kept = adminTables.map(keepOpen);
  const tables = kept.map(({ table }) => table);
  const env = { DATABASE_URL: databaseUrl };
  const run: RunCommand = async (...args) => {
    const { code, out, err } = await runTables({ tables, args: [...args, '--json'], env });
    if (code !== 0) throw new Error(`${args.slice(0, 2).join(' ')}: ${err}`);
    return JSON.parse(out) as Made;
  };
  try {
    return await work(run);
  } finally {
    await Promise.all(kept.map(({ close }) => close()));
  }
}

/** Runs a single command; see `RunCommand`. */
export const runCommand = (databaseUrl: string, ...args: string[]): Promise<Made> =>
  withCommands(databaseUrl, (run) => run(...args));

/** Registers an organization with a key and fees. @param partner the id of its partner */
export async function registerMerchant(
  run: RunCommand,
  name: string,
  partner?: string | null,
): Promise<{ organizationId: string; apiKey: string }> {
  const under = partner ? ['--partner', partner] : [];
  const { id } = await run('organizations', 'create', '--name', name, ...under);
  const [{ key = '' }] = await Promise.all([
    run('keys', 'create', '--organization', id),
    run('fees', 'default', '--organization', id),
  ]);
  return { organizationId: id, apiKey: key };
}

/** Opens the table at its first command, for all later ones, until `close`. */
function keepOpen({ open, close, ...table }: CommandTable) {
  let opened: { needs: never } | undefined;
  return {
    table: { ...table, open: (environment: never) => (opened ??= { needs: open(environment) as never }).needs },
    close: async () => {
      if (opened !== undefined) await close?.(opened.needs);
    },
  };
}
