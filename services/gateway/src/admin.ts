/**
 * Operator's commands on organizations, partners and keys: `node services/gateway/src/admin.ts <noun> <verb> [--options]`. They
 * need DATABASE_URL only, because their events go to the outbox and a running gateway publishes them from there.
 */
import { runAdmin } from '@cobro/service-kit/run-admin.ts';
import { adminCommands } from './admin-commands.ts';

const { argv, env, stdout, stderr } = process;
process.exitCode = await runAdmin({ tables: [adminCommands], args: argv.slice(2), env, stdout, stderr });
