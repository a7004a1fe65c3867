import { newId } from '@cobro/contracts/ids.ts';
import { type Database, sql } from '@cobro/postgres/database.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { insertInvitation } from '../people/invitation.store.ts';
import { newLink } from '../people/link.ts';
import type { Role, ScopeKind } from '../people/roles.rules.ts';
import { openBrowser, type TestBrowser } from '@cobro/testing/test-browser.ts';
import { acceptInvitation, codeOf, PASSWORD } from '@cobro/testing/test-people.ts';

let services: RunningServices;
let url: string;
beforeAll(async () => {
  services = await startServices({ services: ['dashboard'], env: { TRUSTED_PROXY_HOPS: '1' } });
  url = services.dashboardUrl();
});
afterAll(() => services?.stop());

const db = () => services.db('dashboard');
let addresses = 0;
/** Each test comes from elsewhere, so that no test's failures count for another. */
const elsewhere = () => `192.0.2.${++addresses}`;

const wrongly = async (email: string, from: string, times: number) => {
  const browser = openBrowser(url, from);
  await browser.get('/sign-in');
  const all = [];
  for (let i = 0; i < times; i++) all.push(await browser.post('/sign-in', { email, password: 'wrong wrong wrong' }));
  return all.map(({ status }) => status);
};

describe('signing in', () => {
  test('takes the password and a code, and the same code not again', async () => {
    const person = await testPerson(db(), url, { from: elsewhere() });
    // A step later, because the step of the set-up has been used.
    const code = codeOf(person.totpSecret, 1);
    const begin = async () => {
      const browser = openBrowser(url, elsewhere());
      await browser.get('/sign-in');
      expect((await browser.post('/sign-in', { email: person.email, password: PASSWORD })).location).toMatch(
        /^\/sign-in\/factor/,
      );
      await browser.get('/sign-in/factor');
      return browser;
    };
    const [one, other] = [await begin(), await begin()];
    expect((await one.get('/settings')).location).toBe('/sign-in/factor');
    expect((await one.post('/sign-in/factor', { code: codeOf(person.totpSecret) })).status).toBe(400);
    const both = await Promise.all([one.post('/sign-in/factor', { code }), other.post('/sign-in/factor', { code })]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400]);
  });

  test('takes a recovery code once', async () => {
    const person = await testPerson(db(), url, { from: elsewhere() });
    const [code = ''] = person.recoveryCodes;
    await signInAgain(url, { ...person, recoveryCodes: [code] }, elsewhere());
    await expect(signInAgain(url, { ...person, recoveryCodes: [code] }, elsewhere())).rejects.toThrow('400');
  });

  test('says the same of a wrong password and of an e-mail that nobody has', async () => {
    const person = await testPerson(db(), url, { from: elsewhere() });
    const ask = async (email: string) => {
      const browser = openBrowser(url, elsewhere());
      await browser.get('/sign-in');
      const { status, html } = await browser.post('/sign-in', { email, password: 'wrong wrong wrong' });
      return { status, html: html.replaceAll(email, '').replaceAll(/value="[\w-]{43}"/g, '') };
    };
    expect(await ask(person.email)).toEqual(await ask('nobody@example.com'));
  });

  test('after five failures from one network waits there, and lets the owner in elsewhere', async () => {
    const person = await testPerson(db(), url, { from: elsewhere() });
    const attacker = elsewhere();
    expect(await wrongly(person.email, attacker, 7)).toEqual([400, 400, 400, 400, 400, 429, 429]);
    const [lock] = await db().many<{ failures: number; seconds: number }>(sql`
      select failures, extract(epoch from locked_until - failed_at)::int as seconds from sign_in_lock where failures = 5`);
    expect(lock).toEqual({ failures: 5, seconds: 60 });
    const late = openBrowser(url, attacker);
    await late.get('/sign-in');
    expect((await late.post('/sign-in', { email: person.email, password: PASSWORD })).status).toBe(429);
    await signInAgain(url, person, elsewhere());
  });

  test('lets a browser in that signed in before, from the very network that is locked', async () => {
    const home = elsewhere();
    const person = await testPerson(db(), url, { from: home });
    expect((await wrongly(person.email, home, 6)).at(-1)).toBe(429);
    await person.browser.post('/sign-out');
    await person.browser.get('/sign-in');
    const answer = await person.browser.post('/sign-in', { email: person.email, password: PASSWORD });
    expect(answer.status).toBe(303);
  });

  test('of attempts that come at once no more than five are made', async () => {
    const person = await testPerson(db(), url, { from: elsewhere() });
    const browser = openBrowser(url, elsewhere());
    await browser.get('/sign-in');
    const fields = { email: person.email, password: 'wrong wrong wrong' };
    const all = await Promise.all(Array.from({ length: 12 }, () => browser.post('/sign-in', fields)));
    // Beyond four hashes at once it is 503, which counts too.
    const made = all.filter(({ status }) => status !== 429);
    expect(made).toHaveLength(5);
  });

  test('refuses a network after a hundred failures of whatever accounts', async () => {
    const network = elsewhere();
    await db().run(sql`insert into network_failures values (${network}, clock_timestamp(), 99)`);
    expect(await wrongly(`${newId()}@example.com`, network, 1)).toEqual([400]);
    expect(await wrongly(`${newId()}@example.com`, network, 1)).toEqual([429]);
  });
});

describe('an invitation', () => {
  test('works once, and its page ends the session of whoever was there', async () => {
    const inviter = await testPerson(db(), url, { from: elsewhere() });
    const email = `${newId()}@example.com`;
    const { row, path } = newLink(
      { purpose: 'join', email, scope: 'organization', scopeId: inviter.scopeId, role: 'operator', madeBy: null },
      new Date(),
    );
    await insertInvitation(db(), row);
    expect((await inviter.browser.get(path)).location).toBe(path);
    expect((await inviter.browser.get('/settings')).location).toMatch(/^\/sign-in/);
    await db().run(sql`update invitation set used_at = clock_timestamp() where id = ${row.id}`);
    expect((await inviter.browser.get(path)).status).toBe(404);
  });

  test('of somebody who has an account needs its password, and sets up no second factor for whoever knows only that', async () => {
    const victim = await testPerson(db(), url, { from: elsewhere() });
    const { row, path } = newLink(
      { purpose: 'join', email: victim.email, scope: 'organization', scopeId: newId(), role: 'owner', madeBy: null },
      new Date(),
    );
    await insertInvitation(db(), row);
    const attacker = openBrowser(url, elsewhere());
    await attacker.get(path);
    expect((await attacker.post(path, { name: 'Eva', password: 'another long phrase' })).status).toBe(400);
    expect((await attacker.post(path, { password: PASSWORD })).location).toMatch(/^\/sign-in\/factor/);
    expect((await attacker.get('/second-factor')).status).toBe(404);
    await attacker.get('/sign-in/factor');
    expect((await attacker.post('/second-factor', { code: '000000' })).status).toBe(404);
    expect((await attacker.get('/settings')).location).toBe('/sign-in/factor');
  });

  test('is not taken after seven days, nor a short password', async () => {
    const { row, path } = newLink(
      {
        purpose: 'join',
        email: `${newId()}@example.com`,
        scope: 'organization',
        scopeId: newId(),
        role: 'owner',
        madeBy: null,
      },
      new Date(),
    );
    await insertInvitation(db(), row);
    const browser = openBrowser(url, elsewhere());
    await browser.get(path);
    expect((await browser.post(path, { name: 'Ana', password: 'short' })).status).toBe(400);
    await db().run(sql`update invitation set expires_at = clock_timestamp() where id = ${row.id}`);
    expect((await browser.get(path)).status).toBe(404);
  });
});

describe('a session', () => {
  test('ends after half an hour without a request, after twelve hours, and everywhere when asked', async () => {
    const person = await testPerson(db(), url, { from: elsewhere() });
    const second = await signInAgain(url, person, elsewhere());
    expect((await second.get('/settings')).status).toBe(200);
    await db().run(sql`update session set seen_at = seen_at - interval '31 minutes' where stage = 'full'`);
    expect((await second.get('/settings')).location).toMatch(/^\/sign-in\?next=%2Fsettings&ended=yes/);
    const third = await signInAgain(url, person, elsewhere());
    await db().run(sql`update session set began_at = began_at - interval '12 hours' where stage = 'full'`);
    expect((await third.get('/settings')).status).toBe(303);
    const [fourth, fifth] = [await signInAgain(url, person, elsewhere()), await signInAgain(url, person, elsewhere())];
    await fourth.get('/settings');
    expect((await fourth.post('/sign-out', { everywhere: 'yes' })).status).toBe(303);
    expect((await fifth.get('/settings')).location).toMatch(/^\/sign-in/);
  });

  test('takes no form from elsewhere, with another token, or with none', async () => {
    const person = await testPerson(db(), url, { from: elsewhere() });
    await person.browser.get('/settings');
    const other = await testPerson(db(), url, { from: elsewhere() });
    await other.browser.get('/settings');
    const refused = [
      person.browser.post('/sign-out', {}, { origin: 'https://evil.example' }),
      person.browser.post('/sign-out', {}, { 'sec-fetch-site': 'cross-site' }),
      person.browser.post('/sign-out', {}, { 'sec-fetch-site': 'same-site' }),
      person.browser.post('/sign-out', {}, { origin: 'null' }),
      person.browser.post('/sign-out', { formToken: other.browser.formToken() }),
      person.browser.post('/sign-out', { formToken: '' }),
    ];
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
    expect((await person.browser.get('/settings')).status).toBe(200);
  });

  test('leads to no page of another origin', async () => {
    const person = await testPerson(db(), url, { from: elsewhere() });
    await person.browser.get('/confirm?next=https://evil.example/');
    const answer = await person.browser.post('/confirm', {
      code: person.recoveryCodes.pop() ?? '',
      next: '//evil.example/',
    });
    expect(answer.location).toBe('/');
  });
});

test('a sign-in link of the demo signs in once', async () => {
  const person = await testPerson(db(), url, { from: elsewhere() });
  const { row, path } = newLink({ purpose: 'sign-in', email: person.email, madeBy: null }, new Date());
  await insertInvitation(db(), row);
  const [one, other] = [openBrowser(url, elsewhere()), openBrowser(url, elsewhere())];
  await Promise.all([one.get(path), other.get(path)]);
  const both = await Promise.all([one.post(path), other.post(path)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404]);
});

test('a reset by an owner is void once its person belongs elsewhere too', async () => {
  const owner = await testPerson(db(), url, { from: elsewhere() });
  const { email } = await testPerson(db(), url, { from: elsewhere(), scopeId: owner.scopeId });
  const idOf = async (of: string) =>
    (await db().one<{ id: string }>(sql`select id from person where email = ${of}`)).id;
  const reset = async () => {
    const link = { purpose: 'reset', email, resetsFactor: false, madeBy: await idOf(owner.email) } as const;
    const { row, path } = newLink(link, new Date());
    await insertInvitation(db(), row);
    const browser = openBrowser(url, elsewhere());
    await browser.get(path);
    return (await browser.post(path, { password: 'otra frase bastante larga' })).status;
  };
  expect(await reset()).toBe(303);
  await db().run(sql`
    insert into membership (id, person_id, scope, scope_id, role, created_at)
    values (${newId()}, ${await idOf(email)}, 'organization', ${newId()}, 'owner', now())`);
  expect(await reset()).toBe(404);
});

test('no e-mail, name, token or secret is in a log', async () => {
  const person = await testPerson(db(), url, { from: elsewhere() });
  await wrongly(person.email, elsewhere(), 1);
  const written = services.logs('dashboard');
  expect(written).toContain('"route":"/sign-in"');
  for (const secret of [
    '@example.com',
    'Ana Torres',
    person.totpSecret,
    ...person.recoveryCodes,
    ...person.browser.cookies.values(),
  ])
    expect(written).not.toContain(secret);
});

test('what has been audited is neither changed nor deleted by the service', async () => {
  const { openDatabase } = await import('@cobro/postgres/database.ts');
  const own = openDatabase({ url: services.databaseUrl('dashboard'), schema: 'dashboard', max: 1 });
  await testPerson(db(), url, { from: elsewhere() });
  await expect(own.run(sql`update audit set what = 'nothing'`)).rejects.toThrow('permission denied');
  await expect(own.run(sql`delete from audit`)).rejects.toThrow('permission denied');
  await own.close();
});

interface TestPerson {
  email: string;
  totpSecret: string;
  recoveryCodes: string[];
  browser: TestBrowser;
  scopeId: string | null;
}

/** Invites somebody as an operator does, and accepts as the invited does: to a password, a factor and a session. */
async function testPerson(
  own: Database,
  baseUrl: string,
  {
    role = 'owner',
    kind = 'organization',
    scopeId = newId(),
    from,
  }: { role?: Role; kind?: ScopeKind; scopeId?: string | null; from?: string } = {},
): Promise<TestPerson> {
  const email = `${newId()}@example.com`;
  const { row, path } = newLink({ purpose: 'join', email, scope: kind, scopeId, role, madeBy: null }, new Date());
  await insertInvitation(own, row);
  const accepted = await acceptInvitation(baseUrl, path, from);
  return { email, scopeId, ...accepted };
}

/** Signs in in another browser, by a step that has not been used. */
async function signInAgain(baseUrl: string, person: TestPerson, from?: string): Promise<TestBrowser> {
  const browser = openBrowser(baseUrl, from);
  await browser.get('/sign-in');
  await browser.post('/sign-in', { email: person.email, password: PASSWORD });
  await browser.get('/sign-in/factor');
  const code = person.recoveryCodes.pop() ?? '';
  const answer = await browser.post('/sign-in/factor', { code });
  if (answer.status !== 303) throw new Error(`not signed in: ${answer.status} ${answer.html}`);
  return browser;
}
