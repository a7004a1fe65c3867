import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runAdmin } from '@cobro/service-kit/run-admin.ts';
import { adminTables } from '../../tools/admin-tables.ts';

export interface ReadingKeys {
  /** A key that may still ask. */
  next(): Promise<string>;
}

/** Less than a key may ask in a minute. */
const REQUESTS_OF_A_KEY = 110;

/** Makes another key of the organization whenever one has nearly used its budget. */
export function readingKeys(databaseUrl: string, organizationId: string): ReadingKeys {
  let current: Promise<string> | undefined;
  let used = 0;
  return {
    next: () => {
      if (current === undefined || used >= REQUESTS_OF_A_KEY) {
        current = createKey(databaseUrl, organizationId);
        used = 0;
      }
      used++;
      return current;
    },
  };
}

async function createKey(databaseUrl: string, organizationId: string): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const args = ['keys', 'create', '--organization', organizationId, '--json'];
  const code = await runAdmin({ tables: adminTables, args, env: { DATABASE_URL: databaseUrl }, stdout, stderr });
  const [answer, problem] = await Promise.all([stdout, stderr].map((stream) => text(stream.end())));
  if (code !== 0) throw new Error(problem);
  return (JSON.parse(answer ?? '') as { key: string }).key;
}
