import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Envelope, dataOf } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { packedFile } from '@cobro/testing/test-process.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readCommandLine } from '@cobro/service-kit/command-line.ts';
import { adminCommands } from './admin-commands.ts';
import { hashOfKey } from './registry/key-hash.ts';
import { parseKey } from './registry/key.rules.ts';
import { findActiveKey } from './registry/key.store.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase('gateway');
  db = openPatiently({ url: database.url, schema: 'gateway' });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function admin(args: string[], env: Record<string, string> = { DATABASE_URL: database.url }) {
  const child = spawn(process.execPath, [packedFile('services/gateway/src/admin.ts'), ...args], {
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}

/** Runs a command in this process, without a child process. */
function run(...args: string[]): Promise<Record<string, string>> {
  const line = readCommandLine([adminCommands], args);
  if (line.kind === 'help') throw new Error('this is no command');
  return line.command.run({ db, deployed: 'test' } as never, line.options as never, () => {}) as Promise<
    Record<string, string>
  >;
}

async function eventsOf(organizationId = ''): Promise<Envelope[]> {
  const rows = await db.many<{ envelope: string }>(sql`
    select envelope from outbox where aggregate_id = ${organizationId} order by id`);
  return rows.map(({ envelope }) => JSON.parse(envelope) as Envelope);
}

describe('an operator', () => {
  test('registers an organization under a partner, which others learn', async () => {
    const partner = await run('partners', 'create', '--name', 'Ventas');
    const options = ['--name', 'Café “Ñ”', '--website', 'https://cafe.example', '--partner', partner['id'] ?? ''];
    const { id } = await run('organizations', 'create', ...options);
    const [event] = await eventsOf(id);
    expect(event).toMatchObject({ source: '/gateway', subject: id, sequence: '1' });
    expect(event && dataOf('OrganizationRegistered', event)).toEqual({
      organizationId: id,
      name: 'Café “Ñ”',
      websiteURL: 'https://cafe.example',
      partnerId: partner['id'],
      partnerName: 'Ventas',
      color: null,
    });
  });

  test('changes what is named of an organization, which others learn', async () => {
    const { id = '' } = await run('organizations', 'create', '--name', 'Vieja', '--website', 'https://v.example');
    await run('organizations', 'change', '--id', id, '--name', 'Nueva');
    const [, event] = await eventsOf(id);
    expect(event?.sequence).toBe('2');
    expect(event && dataOf('OrganizationChanged', event)).toEqual({
      organizationId: id,
      name: 'Nueva',
      websiteURL: 'https://v.example',
      partnerId: null,
      partnerName: null,
      color: null,
    });
  });

  test("gives an organization's checkout page a colour, which stays when something else changes", async () => {
    const { id = '' } = await run('organizations', 'create', '--name', 'Verde', '--color', '#112233');
    await run('organizations', 'change', '--id', id, '--color', '#0A7F5C');
    await run('organizations', 'change', '--id', id, '--name', 'Verde y rojo');
    const published = (await eventsOf(id)).map((event) => (event.data as { color: string }).color);
    expect(published).toEqual(['#112233', '#0a7f5c', '#0a7f5c']);
    const list = (await run('organizations', 'list')) as unknown as Record<string, string>[];
    expect(list).toContainEqual(expect.objectContaining({ id, name: 'Verde y rojo', color: '#0a7f5c' }));
  });

  test('makes a key that is seen once: what is kept is its hash and its end', async () => {
    const { id = '' } = await run('organizations', 'create', '--name', 'Tienda');
    const made = await run('keys', 'create', '--organization', id, '--mode', 'live');
    const key = made['key'] ?? '';
    expect(parseKey(key)).toEqual({ kind: 'merchant', mode: 'live' });
    await expect(findActiveKey(db, hashOfKey(key))).resolves.toMatchObject({ organizationId: id });
    const [row] = await db.many<{ row: string }>(sql`select k::text as row from api_keys k where id = ${made['id']}`);
    expect(row?.row).toContain(key.slice(-4));
    expect(row?.row).not.toContain(key.slice(8, -4));
    expect(JSON.stringify(await run('keys', 'list'))).not.toContain(key.slice(8, -4));
  });

  test('makes a key of the deployment’s mode, unless a mode is given', async () => {
    const { id = '' } = await run('organizations', 'create', '--name', 'Tienda');
    const made = async (env: Record<string, string>) => {
      const { out } = await admin(['keys', 'create', '--organization', id, '--json'], {
        DATABASE_URL: database.url,
        ...env,
      });
      return parseKey((JSON.parse(out) as { key: string }).key);
    };
    await expect(made({ KEY_MODE: 'live' })).resolves.toEqual({ kind: 'merchant', mode: 'live' });
    await expect(made({})).resolves.toEqual({ kind: 'merchant', mode: 'test' });
  });

  test('revokes a key once and for all', async () => {
    const { id: partner = '' } = await run('partners', 'create', '--name', 'Ventas');
    const { id = '', key = '' } = await run('keys', 'create', '--partner', partner);
    const revokedAt = async () =>
      (await db.one<{ at: Date | null }>(sql`select revoked_at as at from api_keys where id = ${id}`)).at?.getTime();
    await run('keys', 'revoke', '--id', id);
    const first = await revokedAt();
    await run('keys', 'revoke', '--id', id);
    await expect(findActiveKey(db, hashOfKey(key))).resolves.toBeUndefined();
    await expect(revokedAt()).resolves.toBe(first);
  });

  test('sets up two organizations under two partners in one command', async () => {
    const made = await run('bootstrap');
    expect(Object.keys(made).toSorted()).toEqual([
      'apiKey',
      'organizationId',
      'otherApiKey',
      'otherOrganizationId',
      'otherPartnerApiKey',
      'partnerApiKey',
    ]);
    const owners = async (merchantKey = '', partnerKey = '') => {
      const [merchant, partner] = [
        await findActiveKey(db, hashOfKey(merchantKey)),
        await findActiveKey(db, hashOfKey(partnerKey)),
      ];
      const organization = sql`select partner_id as "partnerId" from organizations where id = ${merchant?.organizationId}`;
      const { partnerId } = await db.one<{ partnerId: string }>(organization);
      return { organizationId: merchant?.organizationId, isOfPartner: partner?.partnerId === partnerId };
    };
    await expect(owners(made['apiKey'], made['partnerApiKey'])).resolves.toEqual({
      organizationId: made['organizationId'],
      isOfPartner: true,
    });
    await expect(owners(made['otherApiKey'], made['otherPartnerApiKey'])).resolves.toEqual({
      organizationId: made['otherOrganizationId'],
      isOfPartner: true,
    });
  });

  test('reads lists as tables, rows as lines, and programs a line of JSON', async () => {
    const made = await admin(['partners', 'create', '--name', 'Legible']);
    expect(made.out).toMatch(/^id: [\da-f-]{36}\nname: Legible\n$/);
    expect((await admin(['partners', 'list'])).out).toContain("│ 'Legible'");
    const { code, out, err } = await admin(['partners', 'list', '--json']);
    expect({ code, err, lines: out.split('\n').length }).toEqual({ code: 0, err: '', lines: 2 });
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ name: 'Legible' }));
  });
});

describe('a command that cannot be done', () => {
  const nobody = newId();
  test.each([
    [['organizations', 'create', '--name', 'X', '--partner', nobody], `There is no partner ${nobody}.`],
    [['organizations', 'change', '--id', nobody, '--name', 'X'], `There is no organization ${nobody}.`],
    [['keys', 'create', '--organization', nobody], `There is no organization ${nobody}.`],
    [['keys', 'create', '--partner', nobody], `There is no partner ${nobody}.`],
    [['keys', 'revoke', '--id', nobody], `There is no key ${nobody}.`],
  ])('says why: %j', async (args, why) => {
    await expect(run(...args)).rejects.toThrow(why);
  });

  test('ends with 1', async () => {
    const answer = await admin(['keys', 'revoke', '--id', nobody]);
    expect(answer).toEqual({ code: 1, out: '', err: `There is no key ${nobody}.\n` });
  });

  test('because the database is not there ends with 1', async () => {
    const answer = await admin(['keys', 'list'], { DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' });
    expect(answer).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^The database is not available: .*ECONNREFUSED.*\n$/),
    });
    expect(answer.err).not.toContain('secret');
  });

  test('without an environment ends with 78', async () => {
    await expect(admin(['keys', 'list'], {})).resolves.toMatchObject({
      code: 78,
      out: '',
      err: expect.stringContaining('DATABASE_URL'),
    });
  });
});

describe('a command line that is wrong', () => {
  const id = newId();
  test.each([
    [[], 'Commands:'],
    [['keys'], 'Commands:'],
    [['constructor'], 'Commands:'],
    [['keys', 'create'], 'either --organization or --partner is needed'],
    [['keys', 'create', '--organization', id, '--partner', id], 'either --organization or --partner is needed'],
    [['keys', 'create', '--partner', id, '--mode', 'live'], '--mode is of an organization'],
    [['keys', 'create', '--organization', '1'], '--organization must be a UUID'],
    [['keys', 'revoke'], '--id must be a UUID'],
    [['organizations', 'create'], '--name is required'],
    [['organizations', 'create', '--name', ''], '--name must not be empty'],
    [['organizations', 'create', '--name', 'X', '--website', 'cafe'], '--website must be a URL'],
    [['organizations', 'change', '--id', id, '--color', 'green'], '--color must be a colour like #0a7f5c'],
    [['organizations', 'change', '--id', id, '--color', '#0a7f5c0'], '--color must be a colour like #0a7f5c'],
    [['organizations', 'change', '--color', '#0a7f5c'], '--id must be a UUID'],
    [['organizations', 'create', '--nme', 'X'], "Unknown option '--nme'"],
    [['organizations', 'create', '--name', 'X', 'more'], 'more'],
  ])('says what is wrong: %j', (args, why) => {
    expect(() => readCommandLine([adminCommands], args)).toThrow(why);
  });

  test('ends with 64', async () => {
    const answer = await admin(['keys', 'revoke']);
    expect(answer).toEqual({ code: 64, out: '', err: '--id must be a UUID\nUsage: keys revoke --id ID [--json]\n' });
  });
});
