/**
 * The program of the operations image: everything that an operator or a deployment does beside the services. `operations help` lists its
 * commands. Exits with 0; 1 if it cannot be done; 64 for a wrong command line; 78 if the environment is not complete.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { runAdmin } from '@cobro/service-kit/run-admin.ts';
import { adminTables } from '../admin-tables.ts';
import { BROKER_USERS_USAGE, printBrokerUsers } from './broker-users.ts';
import { createRoles } from './create-roles.ts';
import { EnvironmentError, needed } from './environment.ts';
import { makeFirstMerchant } from './first-merchant.ts';
import { migrateAll } from './migrate-all.ts';
import { REHEARSE_USAGE, rehearseUpgrade } from './rehearse-upgrade.ts';
import { printSecrets, SECRETS_USAGE } from './secrets.ts';
import { holdAndCapture } from './hold-and-capture.ts';
import { runTrace, TRACE_USAGE } from '../trace/run-trace.ts';
import { refuseWhileNeeded } from './needed-signatures.ts';
import { type MayDrop, TURN_KEY_USAGE, turnKeyOf } from './turn-key.ts';

const commands: Record<string, { usage: string; about: string; run(args: string[]): Promise<unknown> }> = {
  secrets: {
    usage: SECRETS_USAGE,
    about: 'prints Secret manifests with fresh keys, and with addresses of the servers that are named',
    run: async (args) => process.stdout.write(printSecrets(args)),
  },
  'create-roles': {
    usage: '',
    about: 'makes the database and the two roles of each service, as the administrator of ADMIN_DATABASE_URL',
    run: createRoles,
  },
  'broker-users': {
    usage: BROKER_USERS_USAGE,
    about:
      'prints the users of RabbitMQ with the rights of each service as definitions, to be imported by its administrator',
    run: async (args) => process.stdout.write(printBrokerUsers(args)),
  },
  migrate: {
    usage: '',
    about: 'brings every schema, its grants and the broker’s topology up to date; may be repeated',
    run: migrateAll,
  },
  upgrade: {
    usage: REHEARSE_USAGE,
    about:
      'does the migrations on a restored backup, and says how long each takes and which locks it holds for how long',
    run: rehearseUpgrade,
  },
  'first-merchant': {
    usage: '',
    about: 'makes two organizations under two partners, with fees and a test key each, and prints them as JSON',
    run: async () => process.stdout.write(`${JSON.stringify(await makeFirstMerchant())}\n`),
  },
  'hold-and-capture': {
    usage: '',
    about: 'holds and captures at BASE_URL with API_KEY, or with a first merchant that it makes',
    run: () => holdAndCapture(),
  },
  'turn-key': {
    usage: TURN_KEY_USAGE,
    about:
      'reads keys as JSON, a Secret of kubectl’s or what a store holds, and prints them with one a step further (docs/deploy.md, Keys)',
    run: async (args) => process.stdout.write(await turnKeyOf(await text(process.stdin), args, mayDrop)),
  },
  trace: {
    usage: TRACE_USAGE,
    about: 'prints a payment’s timeline: spans, and what the databases know (docs/tracing.md)',
    run: async (args) => {
      const { env, stdout, stderr } = process;
      process.exitCode = await runTrace({ args, env, prefix: 'trace', stdout, stderr });
    },
  },
  admin: {
    usage: '<noun> <verb> [--options]',
    about: 'the operator’s commands of all services and of the broker; `admin help` lists them',
    run: admin,
  },
  wait: {
    usage: '',
    about: 'does nothing until it is ended: an operator runs other commands beside it',
    run: waitForEnd,
  },
};

const mayDrop: MayDrop = (service, key) => {
  const broker = { url: needed('AMQP_URL'), prefix: process.env['EVENTS_PREFIX'] ?? '' };
  return refuseWhileNeeded(broker, service, key);
};

async function admin(args: string[]): Promise<void> {
  const line = args.join(' ');
  const table = adminTables.find((one) => one.commands.some(({ words }) => line.startsWith(words)));
  const url = process.env[`${table?.name.toUpperCase()}_DATABASE_URL`];
  process.exitCode = await runAdmin({
    tables: adminTables,
    args,
    env: url === undefined ? process.env : { ...process.env, DATABASE_URL: url },
    prefix: 'admin',
    stdout: process.stdout,
    stderr: process.stderr,
  });
}

/** The timer keeps the process alive. The handler is needed because the first process of a container ignores the signal otherwise. */
async function waitForEnd(): Promise<void> {
  const alive = setInterval(() => {}, 60_000);
  const ended = once(process, 'SIGTERM');
  console.log('waiting for commands');
  await ended;
  clearInterval(alive);
}

const LET_OUT_WITHIN_MS = 30_000;

/** A network policy lets a new pod out some moments after its start. If Postgres stays away, the command itself says so. */
async function untilLetOut(): Promise<void> {
  const [, address] = Object.entries(process.env).find(([variable]) => /_(OWNER|DATABASE)_URL$/.test(variable)) ?? [];
  if (address === undefined) return;
  const { hostname, port } = new URL(address);
  for (const end = Date.now() + LET_OUT_WITHIN_MS; Date.now() < end; await sleep(250)) {
    if (await takesConnections(hostname, Number(port || 5432))) return;
  }
}

async function takesConnections(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(1_000) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const help = () =>
  Object.entries(commands)
    .map(([name, { usage, about }]) => `${[name, usage].filter(Boolean).join(' ')}\n    ${about}\n`)
    .join('');

const [name = 'help', ...args] = process.argv.slice(2);
const chosen = commands[name];
if (name === 'help') {
  process.stdout.write(help());
} else if (chosen === undefined) {
  process.stderr.write(`There is no command “${name}”.\n\n${help()}`);
  process.exitCode = 64;
} else {
  try {
    if (chosen.run !== waitForEnd) await untilLetOut();
    await chosen.run(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof EnvironmentError ? 78 : 1;
  }
}
