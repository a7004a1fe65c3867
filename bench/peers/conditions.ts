import { cpus, loadavg } from 'node:os';
import { withClient } from '@cobro/postgres/with-client.ts';
import type { Stack } from '../../dev/stack/stack.ts';

/** The conditions of a measurement. */
export interface Conditions {
  machine: string;
  node: string;
  java: string;
  postgres: string;
  /** Postgres' settings that decide what a commit costs. */
  commits: string;
  seconds: number;
  rounds: number;
  /** Pairs at each system before the first run. */
  warmUp: number;
  /** Milliseconds of CPU a second while no requests come. */
  idle: Record<string, number>;
  /** Processes that wanted a core in the last minute of the bench. */
  load: number;
}

export async function conditionsOf(
  stack: Stack,
  known: Pick<Conditions, 'seconds' | 'rounds' | 'warmUp' | 'java' | 'idle'>,
): Promise<Conditions> {
  return withClient({ connectionString: stack.databaseUrl }, async (client) => {
    const { rows } = await client.query<Record<'version' | 'fsync' | 'synchronous', string>>(
      `select current_setting('server_version') as version, current_setting('fsync') as fsync,
         current_setting('synchronous_commit') as synchronous`,
    );
    const [settings] = rows;
    return {
      machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
      node: process.version,
      postgres: settings?.version ?? 'unknown',
      commits: `fsync ${settings?.fsync}, synchronous_commit ${settings?.synchronous}`,
      load: loadavg()[0] ?? Number.NaN,
      ...known,
    };
  });
}
