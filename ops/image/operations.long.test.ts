import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@cobro/postgres/with-client.ts';
import { dropTopology } from '@cobro/testing/drop-topology.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import { listening } from '@cobro/testing/listening.ts';
import { testBrokerNames } from '@cobro/testing/test-broker.ts';
import { testEnvironment } from '@cobro/testing/test-environment.ts';
import { packedFile } from '@cobro/testing/test-process.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { definitions } from '../../services/definitions.ts';
import { dropDatabases } from '../../dev/stack/provision-postgres.ts';
import { manifests } from './secrets-under-test.ts';

const { id, postgres } = testEnvironment();
const { host } = new URL(postgres.url);
/** Begins with the prefix of all that tests make, so that it is dropped even if this test dies. */
const name = `cobro_${id}_o${randomBytes(4).toString('hex')}`;
const broker = testBrokerNames();
let environment: Record<string, string> = {};

beforeAll(() => {
  const made = manifests(['--name', name, '--postgres', `${host}/${name}`]);
  const stringData = made.find((one) => one.metadata.name === `${name}-postgres`)?.stringData ?? {};
  const urls = definitions.flatMap(({ name: service }) => [
    [`${service.toUpperCase()}_OWNER_URL`, stringData[`${service}-owner-url`] ?? ''],
    [`${service.toUpperCase()}_DATABASE_URL`, stringData[`${service}-url`] ?? ''],
  ]);
  environment = {
    ...(Object.fromEntries(urls) as Record<string, string>),
    ADMIN_DATABASE_URL: postgres.url,
    AMQP_URL: broker.url,
    EVENTS_PREFIX: broker.prefix,
  };
});
afterAll(async () => {
  await dropDatabases(postgres.url, name);
  await dropTopology(broker.url, broker);
});

async function operations(args: string[], env = environment) {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const options = { env: { PATH, NODE_COMPILE_CACHE, ...env } };
  return promisify(execFile)(process.execPath, [packedFile('ops/image/main.ts'), ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

/** A proxy to the server that keeps what clients send. */
async function spyOn(url: string, port = 0) {
  const chunks: Buffer[] = [];
  const server = await listening(
    createServer((client) => {
      const upstream = connect(Number(new URL(url).port), new URL(url).hostname);
      client.on('data', (chunk) => void chunks.push(chunk)).on('error', () => {});
      client.pipe(upstream).pipe(client);
    }),
    port,
  );
  const through = new URL(url);
  through.host = `127.0.0.1:${server.port}`;
  return {
    url: through.href,
    close: async () => {
      await server.close();
      return Buffer.concat(chunks).toString('latin1');
    },
  };
}

const as = (url: string | undefined, statement: string) =>
  withClient({ connectionString: url ?? '' }, (client) =>
    client.query(statement).then(
      () => 'done',
      (error: Error) => error.message,
    ),
  );

describe('the operations program', () => {
  test('makes roles and schemas from nothing, and again changes nothing', async () => {
    for (const command of ['create-roles', 'migrate', 'create-roles', 'migrate']) {
      expect(await operations([command])).toMatchObject({ code: 0, stderr: '' });
    }
  });

  test('leaves out the dashboard where the deployment has none, and names any other address that is missing', async () => {
    const without = (...left: string[]) =>
      Object.fromEntries(Object.entries(environment).filter(([variable]) => !left.includes(variable)));
    const others = without('DASHBOARD_OWNER_URL', 'DASHBOARD_DATABASE_URL');
    expect(await operations(['migrate'], others)).toMatchObject({ code: 0, stderr: '' });
    const fewer = without('DASHBOARD_OWNER_URL', 'DASHBOARD_DATABASE_URL', 'HOLDS_OWNER_URL');
    expect(await operations(['migrate'], fewer)).toMatchObject({ code: 78, stderr: 'HOLDS_OWNER_URL is not set.\n' });
  });

  test('sends the server no password of a role, because statements come into its log', async () => {
    const statements = await spyOn(postgres.url);
    expect(await operations(['create-roles'], { ...environment, ADMIN_DATABASE_URL: statements.url })).toMatchObject({
      code: 0,
    });
    const sent = await statements.close();
    expect(sent).toContain('alter role');
    const roles = definitions.flatMap(({ name: service }) => [`${service}_OWNER_URL`, `${service}_DATABASE_URL`]);
    const passwords = roles.map((variable) => new URL(environment[variable.toUpperCase()] ?? '').password);
    expect(passwords.filter((password) => sent.includes(password))).toEqual([]);
  });

  test('prints a user of the broker for each service, of its address, without any password', async () => {
    const [secret] = manifests(['--name', name, '--rabbitmq', 'mq:5672']).filter(
      ({ stringData }) => 'admin-url' in stringData,
    );
    const urls = definitions.map(({ name: service }) => [
      `${service.toUpperCase()}_AMQP_URL`,
      `${secret?.stringData[`${service}-url`]}/pay`,
    ]);
    const env = Object.fromEntries(urls) as Record<string, string>;
    const { code, stdout } = await operations(['broker-users'], { ...env, EVENTS_PREFIX: 'pay.' });
    expect(code).toBe(0);
    const printed = JSON.parse(stdout) as Record<'users' | 'permissions' | 'topic_permissions', { user: string }[]> & {
      exchanges: { name: string; vhost: string }[];
    };
    expect(printed.exchanges.map(({ vhost, name: exchange }) => [vhost, exchange])).toEqual([
      ['pay', 'pay.events'],
      ['pay', 'pay.events.dlx'],
    ]);
    expect(printed.users).toHaveLength(definitions.length);
    const user = `${name}_holds`;
    const rightsOf = (all: { user: string }[]) => all.filter((one) => one.user === user);
    expect(rightsOf(printed.permissions)).toEqual([
      {
        user,
        vhost: 'pay',
        configure: '^$',
        write: '^pay[.](events|events[.]dlx|holds[.]returns|parked)$',
        read: '^pay[.](holds)$',
      },
    ]);
    expect(rightsOf(printed.topic_permissions)).toMatchObject([
      { exchange: 'pay.events', write: '^(HoldEnding|HoldCaptured|HoldReleased|HoldExpired)$', read: '^$' },
      { exchange: 'pay.events.dlx', write: '^(pay[.]holds)$', read: '^$' },
    ]);
    const passwords = Object.values(env).map((url) => new URL(url).password);
    expect(passwords.filter((password) => stdout.includes(password))).toEqual([]);
    // `--administrator` adds the user of `admin-url`, for a broker that lacks it.
    const admin = `amqp://boss:secret@mq:5672/pay`;
    const all = await operations(['broker-users', '--administrator'], { ...env, AMQP_URL: admin });
    expect(JSON.parse(all.stdout)).toMatchObject({
      users: expect.arrayContaining([expect.objectContaining({ name: 'boss', tags: 'administrator' })]) as unknown,
      permissions: expect.arrayContaining([
        { user: 'boss', vhost: 'pay', configure: '.*', write: '.*', read: '.*' },
      ]) as unknown,
    });
    expect(await operations(['broker-users'], { ...env, DASHBOARD_AMQP_URL: '' })).toMatchObject({ code: 0 });
    // A trial's new broker loads the same, with an administrator.
    const loaded = JSON.parse(secret?.stringData['definitions.json'] ?? '') as { users: { name: string }[] };
    expect(loaded.users.map((one) => one.name)).toEqual([name, ...definitions.map((one) => `${name}_${one.name}`)]);
  });

  test('makes merchants with the operator’s own commands, as the services’ roles', async () => {
    const { code, stdout } = await operations(['first-merchant']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ apiKey: expect.stringMatching(/^sk_test_/) as unknown });
    const fees = await operations(['admin', 'keys', 'list', '--json']);
    expect(JSON.parse(fees.stdout)).toHaveLength(4);
  });

  test('lets a service’s role read and write its rows, and do nothing else', async () => {
    const { GATEWAY_DATABASE_URL, PAYMENTS_DATABASE_URL } = environment;
    expect(await as(GATEWAY_DATABASE_URL, 'update gateway.organizations set name = name')).toBe('done');
    expect(await as(GATEWAY_DATABASE_URL, 'create table gateway.mine ()')).toMatch(/permission denied/);
    expect(await as(PAYMENTS_DATABASE_URL, 'select from gateway.organizations')).toMatch(/permission denied/);
  });

  test('lets nobody but the owner change what an operator decided, and says whose session wrote it', async () => {
    const { PAYMENTS_DATABASE_URL = '', HOLDS_DATABASE_URL } = environment;
    for (const table of ['bank_resolution', 'bank_resolution_applied']) {
      for (const statement of [`delete from payments.${table}`, `truncate payments.${table}`]) {
        expect(await as(PAYMENTS_DATABASE_URL, statement)).toMatch(/permission denied/);
      }
    }
    for (const column of ['decided_by', 'session_role', 'decided_at']) {
      const statement = `update holds.bank_resolution set ${column} = ${column}`;
      expect(await as(HOLDS_DATABASE_URL, statement)).toMatch(/permission denied/);
    }
    const role = new URL(PAYMENTS_DATABASE_URL).username;
    const forged = `
      insert into payments.bank_resolution (id, operation_id, ending, decided_by, reason, before, session_role, decided_at)
      values (gen_random_uuid(), gen_random_uuid(), '{}', 'Ana', 'case', '{}', 'somebody else', '2020-01-01')`;
    expect(await as(PAYMENTS_DATABASE_URL, forged)).toBe('done');
    const looked = `select 1 / count(*) from payments.bank_resolution
      where session_role = '${role}' and decided_at > now() - interval '1 hour'`;
    expect(await as(PAYMENTS_DATABASE_URL, looked)).toBe('done');
  });

  test('puts a role with another name and password into the place of one, which can be dropped then', async () => {
    const before = new URL(environment['HOLDS_DATABASE_URL'] ?? '');
    const after = new URL(before);
    after.username = `${before.username}_b`;
    after.password = 'another';
    const changed = { ...environment, HOLDS_DATABASE_URL: after.href };
    for (const command of ['create-roles', 'migrate']) {
      expect(await operations([command], changed)).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await as(after.href, 'select from holds.hold')).toBe('done');
    expect(await as(before.href, 'select from holds.hold')).toBe('done');
    const admin = new URL(postgres.url);
    admin.pathname = before.pathname;
    expect(await as(admin.href, `drop owned by ${before.username}; drop role ${before.username}`)).toBe('done');
    expect(await as(after.href, 'select from holds.hold')).toBe('done');
    expect(await operations(['create-roles'])).toMatchObject({ code: 0 });
  });

  test('names the variable that is missing, and ends with 78', async () => {
    expect(await operations(['migrate'], {})).toMatchObject({ code: 78, stderr: 'AMQP_URL is not set.\n' });
  });

  test('says in which schema a migration failed, and why', async () => {
    const url = new URL(environment['INTENTS_OWNER_URL'] ?? '');
    url.pathname = '/postgres';
    const { code, stderr } = (await operations(['migrate'], { ...environment, INTENTS_OWNER_URL: url.href })) as {
      code: number;
      stderr: string;
    };
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'schema intents: permission denied for database postgres (42501)\n',
    });
  });

  test('migrates once Postgres can be reached, which in a new pod may take some seconds', async () => {
    const port = await freePort();
    const url = new URL(environment['GATEWAY_OWNER_URL'] ?? '');
    const { href } = url;
    url.host = `127.0.0.1:${port}`;
    const migrated = operations(['migrate'], { ...environment, GATEWAY_OWNER_URL: url.href });
    await sleep(2_000);
    const way = await spyOn(href, port);
    expect(await migrated).toMatchObject({ code: 0, stderr: '' });
    await way.close();
  });

  test('rehearses an upgrade where nobody else uses the database, whoever that may be', async () => {
    const { code, stderr } = (await withClient({ connectionString: environment['HOLDS_DATABASE_URL'] ?? '' }, () =>
      operations(['upgrade', 'rehearse']),
    )) as { code: number; stderr: string };
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('1 other sessions') as unknown });
    const owners = Object.entries(environment).filter(([variable]) => variable.endsWith('_OWNER_URL'));
    const rehearsed = await operations(['upgrade', 'rehearse'], Object.fromEntries(owners));
    expect(rehearsed).toMatchObject({ code: 0, stdout: expect.stringContaining('payments: nothing to do') as unknown });
  });

  test('waits beside an operator’s commands until it is told to end', async () => {
    const { PATH = '' } = process.env;
    const waiting = spawn(process.execPath, [packedFile('ops/image/main.ts'), 'wait'], {
      env: { PATH, ...environment },
    });
    const ended = once(waiting, 'exit');
    await once(waiting.stdout, 'data');
    waiting.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  test('ends with a sentence and 1 where the broker cannot be reached', async () => {
    const away = { ...environment, AMQP_URL: 'amqp://127.0.0.1:9' };
    const { code, stderr } = (await operations(['migrate'], away)) as { code: number; stderr: string };
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') as unknown });
  });
});
