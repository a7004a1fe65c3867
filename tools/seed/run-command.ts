import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runAdmin } from '@cobro/service-kit/run-admin.ts';
import { adminTables } from '../admin-tables.ts';

/** What a command that makes something tells of it. `keyId` is of a key that is made together with its holder, or for it. */
interface Made {
  id: string;
  key?: string;
  keyId?: string;
}

/** Runs an operator's command in this process. `databaseUrl` is the administrator's. @throws where it cannot be done */
export async function runCommand(databaseUrl: string, ...args: string[]): Promise<Made> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const env = { DATABASE_URL: databaseUrl };
  const code = await runAdmin({ tables: adminTables, args: [...args, '--json'], env, stdout, stderr });
  const [answer, problem] = await Promise.all([stdout, stderr].map((stream) => text(stream.end())));
  if (code !== 0) throw new Error(`${args.slice(0, 2).join(' ')}: ${problem}`);
  return JSON.parse(answer ?? '') as Made;
}
