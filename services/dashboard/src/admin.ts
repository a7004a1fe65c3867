/** Operator's commands on people: `node services/dashboard/src/admin.ts people <verb> [--options]`. They need DATABASE_URL. */
import { runAdmin } from '@cobro/service-kit/run-admin.ts';
import { adminCommands } from './admin-commands.ts';

const { argv, env, stdout, stderr } = process;
process.exitCode = await runAdmin({ tables: [adminCommands], args: argv.slice(2), env, stdout, stderr });
