/**
 * `npm run admin -- <noun> <verb> [--options]`: runs an operator's command of a service or of the broker, on the stack of this checkout or
 * of the record that STACK_FILE names. If none runs, the environment says where the servers are.
 */
import { runAdmin } from '@cobro/service-kit/run-admin.ts';
import { adminTables } from '../ops/admin-tables.ts';
import { runningStack } from './stack/running-stack.ts';

function environment(): Record<string, string | undefined> {
  const stack = runningStack();
  if (stack === undefined) return process.env;
  const { databaseUrl, brokerUrl, bankUrl, eventsPrefix, dashboard } = stack;
  return {
    ...process.env,
    DATABASE_URL: databaseUrl,
    AMQP_URL: brokerUrl,
    KEY_MODE: 'test',
    BANK_URL: bankUrl,
    EVENTS_PREFIX: eventsPrefix,
    DASHBOARD_BASE_URL: dashboard?.url,
  };
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
