/**
 * `npm run admin -- <noun> <verb> [--options]`: operator's commands of all services and of the broker, in this process. A stack
 * that runs from this checkout is the one that is meant, or the stack whose record STACK_FILE names; where none runs, the
 * environment says where: DATABASE_URL of the service that owns the noun, or AMQP_URL and EVENTS_PREFIX.
 */
import { readFileSync } from 'node:fs';
import { runAdmin } from '@cobro/service-kit/run-admin.ts';
import { adminTables } from './admin-tables.ts';
import { demoFile } from './stack/demo-file.ts';

interface RunningStack {
  databaseUrl: string;
  brokerUrl: string;
  eventsPrefix?: string;
}

/** Its record is there only while it runs. */
function runningStack(): RunningStack | undefined {
  try {
    return JSON.parse(readFileSync(process.env['STACK_FILE'] ?? demoFile, 'utf8')) as RunningStack;
  } catch {
    return undefined;
  }
}

function environment(): Record<string, string | undefined> {
  const stack = runningStack();
  if (stack === undefined) return process.env;
  const { databaseUrl, brokerUrl, eventsPrefix } = stack;
  return { ...process.env, DATABASE_URL: databaseUrl, AMQP_URL: brokerUrl, EVENTS_PREFIX: eventsPrefix };
}

process.exitCode = await runAdmin({
  tables: adminTables,
  args: process.argv.slice(2),
  env: environment(),
  prefix: 'npm run admin --',
  unknownWhere: 'No stack runs from this checkout (npm start).',
  stdout: process.stdout,
  stderr: process.stderr,
});
