import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { openBrowser } from '@cobro/testing/test-browser.ts';
import { acceptInvitation, codeOf, PASSWORD } from '@cobro/testing/test-people.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dashboardUnderTest } from '../dashboard-under-test.ts';
import { insertInvitation } from '../people/invitation.store.ts';
import { newLink } from '../people/link.ts';
import { managingPeople } from '../people/manage-people.story.ts';
import { passkeys } from '../passkeys/passkeys.story.ts';
import { platform } from '../platform/platform.story.ts';
import { ownAccount } from '../profile/profile.story.ts';
import { signingInByIssuer } from '../sign-on/sign-on.story.ts';
import { invitations } from './accept-invitation.story.ts';

const tested = dashboardUnderTest();
const { db, elsewhere } = tested;
let url: string;
beforeAll(() => {
  url = tested.url();
});

const wrongly = async (email: string, from: string, times: number) => {
  const browser = openBrowser(url, from);
  await browser.get('/sign-in');
  const all = [];
  for (let i = 0; i < times; i++) all.push(await browser.post('/sign-in', { email, password: 'wrong wrong wrong' }));
  return all.map(({ status }) => status);
};

describe('signing in', () => {
  test('takes the password and a code, and the same code not again', async () => {
    const person = await tested.person();
    // The code of the next step, because the set-up has used the present one.
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
    expect((await one.post('/sign-in/factor', { code: person.code })).status).toBe(400);
    const both = await Promise.all([one.post('/sign-in/factor', { code }), other.post('/sign-in/factor', { code })]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400]);
  });

  test('takes a recovery code once', async () => {
    const person = await tested.person();
    const [code = ''] = person.recoveryCodes;
    await tested.signIn({ ...person, recoveryCodes: [code] });
    await expect(tested.signIn({ ...person, recoveryCodes: [code] })).rejects.toThrow('400');
  });

  test('by a recovery code is no proof for what is dangerous, and such a code proves nothing there', async () => {
    const person = await tested.person();
    const browser = await tested.signIn(person);
    await browser.get('/settings');
    expect((await browser.post('/settings/recovery-codes')).location).toMatch(/^\/confirm/);
    await browser.get('/confirm?next=/settings/people?q=x');
    // A page that is loaded again is not recorded again.
    await browser.get('/confirm?next=/settings/people?q=y');
    const [code = ''] = person.recoveryCodes;
    expect((await browser.post('/confirm', { code })).status).toBe(400);
    expect((await browser.post('/confirm', { code: codeOf(person.totpSecret, 1) })).status).toBe(303);
    expect((await browser.post('/settings/recovery-codes')).status).toBe(200);
    expect(await tested.audited(person)).toEqual([
      'factor.set-up done',
      'people.join.owner done',
      'sign-in.totp done',
      'sign-in.recovery-code done',
      'step-up asked',
      'step-up failed',
      'step-up done',
      'recovery-codes.renew done',
    ]);
    // A recovery code that was refused is not used up.
    const left = await db().one<{ path: string }>(sql`
      select target as path from audit where person_id = ${person.id} and what = 'step-up' and outcome = 'asked'`);
    expect(left.path).toBe('/settings/people');
  });

  test('says the same of a wrong password and of an e-mail that nobody has', async () => {
    const person = await tested.person();
    const ask = async (email: string) => {
      const browser = openBrowser(url, elsewhere());
      await browser.get('/sign-in');
      const { status, html } = await browser.post('/sign-in', { email, password: 'wrong wrong wrong' });
      return {
        status,
        html: html.replaceAll(email, '').replaceAll(/value="[\w-]{43}"|challenge&quot;:&quot;[\w-]+/g, ''),
      };
    };
    expect(await ask(person.email)).toEqual(await ask('nobody@example.com'));
  });

  test('after five failures from one network waits there, and lets the owner in elsewhere', async () => {
    const person = await tested.person();
    const attacker = elsewhere();
    expect(await wrongly(person.email, attacker, 7)).toEqual([400, 400, 400, 400, 400, 429, 429]);
    const [lock] = await db().many<{ failures: number; seconds: number }>(sql`
      select failures, extract(epoch from locked_until - failed_at)::int as seconds from sign_in_lock where failures = 5`);
    expect(lock).toEqual({ failures: 5, seconds: 60 });
    const late = openBrowser(url, attacker);
    await late.get('/sign-in');
    expect((await late.post('/sign-in', { email: person.email, password: PASSWORD })).status).toBe(429);
    await tested.signIn(person);
  });

  test('lets a browser in that signed in before, from the very network that is locked', async () => {
    const home = elsewhere();
    const { email, path } = await tested.invite();
    const person = { email, ...(await acceptInvitation(url, path, home)) };
    expect((await wrongly(person.email, home, 6)).at(-1)).toBe(429);
    await person.browser.post('/sign-out');
    await person.browser.get('/sign-in');
    const answer = await person.browser.post('/sign-in', { email: person.email, password: PASSWORD });
    expect(answer.status).toBe(303);
  });

  test('of attempts that come at once no more than five are made', async () => {
    const person = await tested.person();
    const browser = openBrowser(url, elsewhere());
    await browser.get('/sign-in');
    const fields = { email: person.email, password: 'wrong wrong wrong' };
    const all = await Promise.all(Array.from({ length: 12 }, () => browser.post('/sign-in', fields)));
    const made = all.filter(({ status }) => status === 400);
    expect(made.length).toBeLessThanOrEqual(5);
    expect(all.filter(({ status }) => ![400, 429, 503].includes(status))).toEqual([]);
    const [lock] = await db().many<{ failures: number }>(sql`
      select failures from sign_in_lock where account = sha256(convert_to(${person.email}, 'utf8')) and origin like 'network%'
      order by failed_at desc limit 1`);
    // While four were checked, other attempts were not made, and do not count.
    expect(lock?.failures).toBe(made.length);
  });

  test('while four passwords are looked at says so, and counts nothing', async () => {
    const person = await tested.person();
    const email = `${newId()}@example.com`;
    const other = openBrowser(url, elsewhere());
    const browsers = Array.from({ length: 48 }, () => openBrowser(url, elsewhere()));
    await Promise.all(browsers.map((browser) => browser.get('/sign-in')));
    const fields = { email: person.email, password: PASSWORD };
    const all = await Promise.all(browsers.map((browser) => browser.post('/sign-in', fields)));
    const busy = all.filter(({ status }) => status === 503);
    expect(all.filter(({ status }) => status === 303).length + busy.length).toBe(48);
    expect(busy[0]?.html).toContain('No se hizo nada; prueba de nuevo en unos segundos.');
    await other.get('/sign-in');
    await other.post('/sign-in', { email, password: 'wrong wrong wrong' });
    const kept = await db().many<object>(sql`
      select failures from sign_in_lock where account = sha256(convert_to(${person.email}, 'utf8')) and failures > 0`);
    expect(kept).toEqual([]);
  });

  test('refuses a network after a hundred failures of whatever accounts', async () => {
    const network = elsewhere();
    await db().run(sql`insert into network_failures values (${network}, clock_timestamp(), 99)`);
    expect(await wrongly(`${newId()}@example.com`, network, 1)).toEqual([400]);
    expect(await wrongly(`${newId()}@example.com`, network, 1)).toEqual([429]);
    // A known browser can sign in all the same.
    const person = await tested.person();
    const known = openBrowser(url, network);
    known.cookies.set('cobro-device', person.browser.cookies.get('cobro-device') ?? '');
    await known.get('/sign-in');
    expect((await known.post('/sign-in', { email: person.email, password: PASSWORD })).status).toBe(303);
  });
});

describe('an invitation', () => {
  invitations(tested);
});
describe('managing people', () => {
  managingPeople(tested);
});
describe('one’s own account and the audit', () => {
  ownAccount(tested);
});
describe('the platform', () => {
  platform(tested);
});
describe('passkeys', () => {
  passkeys(tested);
});
describe('signing in by an issuer', () => {
  signingInByIssuer(tested);
});

describe('a session', () => {
  test('ends after half an hour without a request, after twelve hours, and everywhere when asked', async () => {
    const person = await tested.person();
    const second = await tested.signIn(person);
    expect((await second.get('/settings')).status).toBe(200);
    await db().run(sql`update session set seen_at = seen_at - interval '31 minutes' where stage = 'full'`);
    expect((await second.get('/settings')).location).toMatch(/^\/sign-in\?next=%2Fsettings&ended=yes/);
    const third = await tested.signIn(person);
    await db().run(sql`update session set began_at = began_at - interval '12 hours' where stage = 'full'`);
    expect((await third.get('/settings')).status).toBe(303);
    const [fourth, fifth] = [await tested.signIn(person), await tested.signIn(person)];
    await fourth.get('/settings');
    expect((await fourth.post('/sign-out', { everywhere: 'yes' })).status).toBe(303);
    expect((await fifth.get('/settings')).location).toMatch(/^\/sign-in/);
    expect((await tested.audited(person)).at(-1)).toBe('sign-out.everywhere done');
  });

  test('ends when another begins in its browser', async () => {
    const { browser, email } = await tested.person();
    const before = openBrowser(url, elsewhere());
    for (const [name, value] of browser.cookies) before.cookies.set(name, value);
    await browser.get('/sign-in');
    expect((await browser.post('/sign-in', { email, password: PASSWORD })).status).toBe(303);
    expect((await before.get('/settings')).location).toMatch(/^\/sign-in\?/);
  });

  test('takes no form from elsewhere, with another token, or with none', async () => {
    const person = await tested.person();
    await person.browser.get('/settings');
    const other = await tested.person();
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
    const person = await tested.person();
    await person.browser.get('/confirm?next=https://evil.example/');
    const answer = await person.browser.post('/confirm', {
      code: codeOf(person.totpSecret, 1),
      next: '//evil.example/',
    });
    expect(answer.location).toBe('/');
  });
});

test('a sign-in link of the demo signs in once', async () => {
  const person = await tested.person();
  const { row, path } = newLink({ purpose: 'sign-in', email: person.email, madeBy: null }, new Date());
  await insertInvitation(db(), row);
  const [one, other] = [openBrowser(url, elsewhere()), openBrowser(url, elsewhere())];
  await Promise.all([one.get(path), other.get(path)]);
  const both = await Promise.all([one.post(path), other.post(path)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404]);
});

test('a reset by an owner is void once its person belongs elsewhere too', async () => {
  const owner = await tested.person();
  const { id, email } = await tested.person({ scopeId: owner.scopeId });
  const reset = async () => {
    const link = { purpose: 'reset', email, resetsFactor: false, madeBy: owner.id } as const;
    const { row, path } = newLink(link, new Date());
    await insertInvitation(db(), row);
    const browser = openBrowser(url, elsewhere());
    await browser.get(path);
    return (await browser.post(path, { password: 'otra frase bastante larga' })).status;
  };
  expect(await reset()).toBe(303);
  await db().run(sql`
    insert into membership (id, person_id, scope, scope_id, role, created_at)
    values (${newId()}, ${id}, 'organization', ${newId()}, 'owner', now())`);
  expect(await reset()).toBe(404);
});

test('no e-mail, name, token or secret is in a log', async () => {
  const person = await tested.person();
  await wrongly(person.email, elsewhere(), 1);
  const written = tested.services().logs('dashboard');
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
  const own = openDatabase({ url: tested.services().databaseUrl('dashboard'), schema: 'dashboard', max: 1 });
  await tested.person();
  await expect(own.run(sql`update audit set what = 'nothing'`)).rejects.toThrow('permission denied');
  await expect(own.run(sql`delete from audit`)).rejects.toThrow('permission denied');
  await own.close();
});
