import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Command, EXAMPLE_ID } from '@cobro/service-kit/admin-command.ts';
import { consumerQueue, deadLetterExchange } from '@cobro/events/topology.ts';
import { openPatiently, type Sql, sql } from '@cobro/postgres/database.ts';
import { migrate } from '@cobro/postgres/migrate.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestBroker, testBroker } from '@cobro/testing/test-broker.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { packedFile } from '@cobro/testing/test-process.ts';
import { connect } from 'amqplib';
import { schemaOf } from '@cobro/frame/definition.ts';
import { definitions } from '../services/definitions.ts';
import { adminTables } from './admin-tables.ts';
import { recordsOfPayments } from './test-records.ts';
import { runCommand } from '@cobro/testing/run-command.ts';

type Environment = Record<string, string>;

// Nothing listens there.
const NOWHERE: Environment = {
  DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/none',
  AMQP_URL: 'amqp://u:secret@127.0.0.1:1',
  KEY_MODE: 'test',
  BANK_URL: 'http://127.0.0.1:1',
  VAULT_KEY: Buffer.alloc(32).toString('base64'),
};

function admin(args: string[], env: Environment = NOWHERE) {
  return runCommand({ tables: adminTables, args, env, prefix: 'npm run admin --' });
}

const wordsOf = ({ words }: Command<never>) => words.split(' ');
const lineOf = (command: Command<never>) => [...wordsOf(command), ...command.example];
const optionsIn = (text: string) => [...new Set(text.match(/--[a-z]+/g) ?? [])].toSorted();

/** One line that JSON can be read from. */
function jsonLine(out: string): unknown {
  expect(out.indexOf('\n')).toBe(out.length - 1);
  return JSON.parse(out);
}

const commands = adminTables.flatMap((table) => table.commands.map((command) => ({ table: table.name, command })));
const each = commands.map(({ table, command }) => [command.words, command, table] as const);

describe.each(each)('%s', (_words, command, table) => {
  test('says in its usage what options it has, and no others', () => {
    const names = Object.keys(command.options.shape).map((name) => `--${name}`);
    expect(optionsIn(command.usage)).toEqual(names.toSorted());
  });

  test('has help, before and after its words, for people and for programs', async () => {
    const help = await admin(['help', ...wordsOf(command)], {});
    expect(help).toMatchObject({ code: 0, err: '', out: expect.stringContaining(command.about) });
    expect(help.out).toContain(`npm run admin -- ${[command.words, command.usage].join(' ').trim()} [--json]\n`);
    expect(await admin([...wordsOf(command), '--help'], {})).toEqual(help);
    const { out } = await admin([...wordsOf(command), '--help', '--json'], {});
    expect(jsonLine(out)).toEqual([{ command: command.words, usage: command.usage, about: command.about }]);
    expect((await admin(['help'], {})).out).toContain(`  ${`${command.words} ${command.usage}`.trim()}\n`);
  });

  test('ends with 64 for a line that is wrong', async () => {
    for (const wrong of [['--nothing', 'x'], ['--json', '--json'], ['more']]) {
      const { code, out, err } = await admin([...lineOf(command), ...wrong]);
      expect({ code, out }).toEqual({ code: 64, out: '' });
      expect(err).toMatch(
        new RegExp(`^(Usage: npm run admin --|Commands, after npm run admin --:\n) +${command.words}`, 'm'),
      );
    }
  });

  test('ends with 78 where it is not known where', async () => {
    for (const env of [{}, { DATABASE_URL: 'here', AMQP_URL: 'there' }]) {
      const { code, out, err } = await admin([...lineOf(command), '--json'], env);
      expect({ code, out }).toEqual({ code: 78, out: '' });
      expect(err).toMatch(
        /^The environment is not complete: (DATABASE_URL|AMQP_URL|KEY_MODE|BANK_URL|VAULT_KEY): .*\.\n$/,
      );
    }
  });

  test('ends with 1 where nobody answers, and keeps the password to itself', async () => {
    const { code, out, err } = await admin([...lineOf(command), '--json']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^The (database|broker|bank|acquirer) .*\.\n$/);
    expect(err).not.toContain('secret');
  });

  test('is done as its example says, and answers one line of JSON where it is asked to', async () => {
    const { env, prepare } = servers[table] ?? fail(`no servers for the commands of ${table}`);
    await prepare();
    expect(await admin(lineOf(command), env)).toMatchObject({ code: 0, out: expect.stringMatching(/\S\n$/) });
    await prepare();
    const { code, out, err } = await admin([...lineOf(command), '--json'], env);
    expect(code).toBe(0);
    expect(jsonLine(out)).toBeInstanceOf(Object);
    expect(err).not.toMatch(/^ +at /m);
  });
});

/** The environment for each table's examples, and a preparation that makes the records they need. */
const servers: Record<string, { env: Environment; prepare: () => Promise<void> }> = {};
const databases: TestDatabase[] = [];
let broker: TestBroker;
let services: RunningServices;

beforeAll(async () => {
  await prepareDatabase('gateway', [
    sql`insert into organizations (id, name) values (${EXAMPLE_ID}, 'Café Tacuba') on conflict do nothing`,
    sql`insert into partners (id, name) values (${EXAMPLE_ID}, 'Ventas') on conflict do nothing`,
    sql`insert into api_keys (id, kind, partner_id, hash, last_four)
      values (${EXAMPLE_ID}, 'partner', ${EXAMPLE_ID}, ${Buffer.alloc(32)}, 'abcd') on conflict do nothing`,
  ]);
  await prepareDatabase('payments', recordsOfPayments);
  await prepareDatabase('dashboard', [
    sql`insert into person (id, email, name, password_hash, created_at)
      values (${EXAMPLE_ID}, 'ana@example.com', 'Ana Torres', 'none', now()) on conflict do nothing`,
  ]);
  const intents = await prepareDatabase('intents', ofIntents);
  servers['terminals'] = await withGateway(intents);
  await startAtTheBank();
  servers['reporting'] = await withOwners();
  servers['events'] = { ...servers['reporting'], prepare: async () => {} };
  broker = await testBroker();
  servers['broker'] = { env: { AMQP_URL: broker.url, EVENTS_PREFIX: broker.prefix }, prepare: parkOne };
});
afterAll(async () => {
  await Promise.all([...databases.map((database) => database.drop()), broker.drop(), services?.stop()]);
});

/** Makes the records that examples name, and removes those that they make. */
const ofIntents = [
  sql`delete from salesperson where username = 'lucia'`,
  sql`delete from terminal where serial_number = 'SN-0001'`,
  sql`insert into branch (id, organization_id, name, created_at)
    values (${EXAMPLE_ID}, ${EXAMPLE_ID}, 'Centro', now()) on conflict do nothing`,
  sql`insert into salesperson (id, organization_id, name, username, created_at)
    values (${EXAMPLE_ID}, ${EXAMPLE_ID}, 'Ana Torres', 'ana', now()) on conflict do nothing`,
  sql`insert into terminal (id, organization_id, serial_number, created_at)
    values (${EXAMPLE_ID}, ${EXAMPLE_ID}, 'SN-0000', now()) on conflict do nothing`,
];

/** The commands on reporting need the schemas of all services in one database, and some need new tables that were not swapped. */
async function withOwners() {
  const { adminUrl } = await prepareDatabase('reporting', []);
  const others = definitions.filter(({ name }) => name !== 'reporting').map(schemaOf);
  await run(
    adminUrl,
    'public',
    others.map(({ name }) => ({ text: `create schema ${name}`, values: [] })),
  );
  await Promise.all(others.map((schema) => migrate({ url: adminUrl, schema })));
  const env = { DATABASE_URL: adminUrl };
  const prepare = async () => {
    const looking = openPatiently({ url: adminUrl, schema: 'public', max: 1 });
    const there = await looking.maybe(sql`select from pg_namespace where nspname = 'reporting_next'`);
    await looking.close();
    if (there === undefined) await admin(['reporting', 'build'], env);
  };
  return { env, prepare };
}

/** The commands on terminals need the schemas of intents and of the gateway in one database. */
async function withGateway({ adminUrl }: TestDatabase) {
  const root = openPatiently({ url: adminUrl, schema: 'public', max: 1 });
  await root.run(sql`create schema gateway`);
  await root.close();
  const [schema] = definitions.filter(({ name }) => name === 'gateway').map(schemaOf);
  if (schema === undefined) throw new Error('there is no gateway');
  await migrate({ url: adminUrl, schema });
  const prepare = async () => {
    await run(adminUrl, 'intents', ofIntents);
    await run(adminUrl, 'gateway', [
      sql`insert into organizations (id, name) values (${EXAMPLE_ID}, 'Café Tacuba') on conflict do nothing`,
    ]);
  };
  return { env: { DATABASE_URL: adminUrl }, prepare };
}

/** The commands on operations at the bank need the bank, and a process that settles by resolutions. */
async function startAtTheBank(): Promise<void> {
  services = await startServices({ services: ['payments', 'holds', 'reporting', 'intents', 'webhooks'] });
  const env = {
    KEY_MODE: 'test',
    BANK_URL: services.bank.url,
    PAYMENTS_DATABASE_URL: services.databaseUrl('payments'),
    HOLDS_DATABASE_URL: services.databaseUrl('holds'),
    REPORTING_DATABASE_URL: services.databaseUrl('reporting'),
    INTENTS_DATABASE_URL: services.databaseUrl('intents'),
    WEBHOOKS_DATABASE_URL: services.databaseUrl('webhooks'),
  };
  servers['reconcile'] = { env, prepare: async () => {} };
  servers['acquirers'] = { env, prepare: () => services.bank.setFaults({ rates: {} }) };
  servers['cards'] = { env: { ...env, VAULT_KEY: services.keys.shared['VAULT_KEY'] ?? '' }, prepare: async () => {} };
  const payments = services.db('payments');
  await payments.run(sql`
    insert into payment (id, organization_id, type, source, status, hold_funds, amount, currency, card, created_at)
    values (${EXAMPLE_ID}, ${EXAMPLE_ID}, 'CARD_NOT_PRESENT', 'ONE_TIME_PAYMENT', 'CONFIRMED', false, 100, 'MXN', '{}', now())`);
  const prepare = async () => {
    await services.bank.setFaults(unansweredInquiries);
    await payments.run(sql`truncate bank_resolution, bank_resolution_applied`);
    await payments.run(sql`
      insert into bank_operation (id, purpose, subject_id, amount, claimed_at, inquire_at)
      values (${EXAMPLE_ID}, 'refund', ${EXAMPLE_ID}, 100, now() - interval '2 hours', now() + interval '1 year')
      on conflict (id) do update set status = 'open', answer = null, settled_at = null, inquire_at = now() + interval '1 year'`);
  };
  servers['operations'] = { env, prepare };
}

async function run(url: string, schema: string, statements: Sql[]): Promise<void> {
  const db = openPatiently({ url, schema, max: 1 });
  try {
    for (const statement of statements) await db.run(statement);
  } finally {
    await db.close();
  }
}

async function prepareDatabase(name: string, statements: Sql[]): Promise<TestDatabase> {
  const database = await testDatabase(name);
  databases.push(database);
  servers[name] = { env: { DATABASE_URL: database.url }, prepare: () => run(database.adminUrl, name, statements) };
  return database;
}

/** Parks an event as a consumer does. Repeated calls add rows for the same command. */
async function parkOne(): Promise<void> {
  const connection = await connect(broker.url);
  const channel = await connection.createConfirmChannel();
  const { prefix } = broker;
  channel.publish(deadLetterExchange(prefix), consumerQueue(prefix, 'holds'), Buffer.from('{}'), {
    messageId: EXAMPLE_ID,
  });
  await channel.waitForConfirms();
  await connection.close();
}

function fail(message: string): never {
  throw new Error(message);
}

describe('npm run admin', () => {
  let folder: Environment = {};
  beforeEach(() => {
    folder = { STACK_FILE: join(import.meta.dirname, 'no-such-stack.json') };
  });

  async function npmRunAdmin(args: string[], env: Environment) {
    const command = [packedFile('dev/admin.ts'), ...args];
    const { NODE_COMPILE_CACHE } = process.env;
    const child = spawn(process.execPath, command, { env: { NODE_COMPILE_CACHE, ...folder, ...env } });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const [code] = (await once(child, 'close')) as [number];
    return { code, out, err };
  }

  test('shows how it is used', async () => {
    await expect(npmRunAdmin(['--help'], {})).resolves.toMatchObject({
      code: 0,
      out: expect.stringContaining('keys create'),
    });
  });

  test.each<[args: string[], runIn: (args: string[], env: Environment) => Promise<object>]>([
    [[], npmRunAdmin],
    [['nothing', 'list'], npmRunAdmin],
    // Two processes are enough: the refusing code is the same for all.
    [['constructor'], admin],
    [['parked'], admin],
    [['parked', 'retry'], admin],
    [['parked', 'retry', '--all', '--id', '1'], admin],
    [['parked', 'show'], admin],
  ])('does not guess what is meant by %j', async (args, runIn) => {
    await expect(runIn(args, NOWHERE)).resolves.toMatchObject({
      code: 64,
      out: '',
      err: expect.stringContaining('npm run admin'),
    });
  });

  test('takes the addresses of the environment where no stack runs, and says so where there are none', async () => {
    const { env } = servers['gateway'] ?? fail('no gateway');
    await expect(npmRunAdmin(['keys', 'list', '--json'], env)).resolves.toMatchObject({ code: 0, err: '' });
    await expect(npmRunAdmin(['keys', 'list'], {})).resolves.toEqual({
      code: 78,
      out: '',
      err: 'No stack runs from this checkout (npm start). The environment is not complete: DATABASE_URL: is not set.\n',
    });
  });
});
