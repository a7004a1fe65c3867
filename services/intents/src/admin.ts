/**
 * Operator's commands on branches, salespeople, terminals: `node services/intents/src/admin.ts <noun> <verb> [--options]`. They
 * need DATABASE_URL only.
 */
import { runAdmin } from '@cobro/service-kit/run-admin.ts';
import { adminCommands } from './admin-commands.ts';

const { argv, env, stdout, stderr } = process;
process.exitCode = await runAdmin({ tables: [adminCommands], args: argv.slice(2), env, stdout, stderr });
