import { sql } from '@cobro/postgres/database.ts';
import { openBrowser, type TestBrowser } from '@cobro/testing/test-browser.ts';
import { PASSWORD } from '@cobro/testing/test-people.ts';
import { expect, test } from '@jest/globals';
import type { DashboardUnderTest, TestPerson } from '../dashboard-under-test.ts';
import { testAuthenticator } from './test-authenticator.ts';

/** Passkeys: what they open, and answers of devices that open nothing. */
export function passkeys(tested: DashboardUnderTest): void {
  const { db, url, elsewhere } = tested;
  const register = async ({ browser }: Pick<TestPerson, 'browser'>, name = 'Mi teléfono') => {
    const device = testAuthenticator(url());
    const answer = device.register(await browser.get('/settings/passkeys/new'));
    expect(await browser.post('/settings/passkeys', { name, answer })).toMatchObject({ location: '/settings' });
    return device;
  };
  type Device = Awaited<ReturnType<typeof register>>;
  const comeIn = async (device: Device, wrongs: Parameters<Device['answer']>[1] = {}) => {
    const browser = openBrowser(url(), elsewhere());
    const answer = device.answer(await browser.get('/sign-in'), wrongs);
    return { browser, answer, came: await browser.post('/sign-in/passkey', { answer, next: '/settings' }) };
  };
  const halfIn = async ({ email }: TestPerson): Promise<TestBrowser> => {
    const browser = openBrowser(url(), elsewhere());
    await browser.get('/sign-in');
    await browser.post('/sign-in', { email, password: PASSWORD });
    return browser;
  };

  test('a passkey signs in as both factors, is listed with its last use, and once removed opens nothing', async () => {
    const person = await tested.person();
    const device = await register(person);
    const { browser, came } = await comeIn(device);
    expect(came.location).toBe('/settings');
    const page = await browser.get('/settings');
    expect(page.html).toContain('Mi teléfono');
    expect(page.html).not.toContain('nunca');
    expect((await browser.post('/settings/recovery-codes')).status).toBe(200);
    const [, id = ''] = /\/settings\/passkeys\/([^/]+)\/remove/.exec(page.html) ?? [];
    const stranger = await tested.person();
    await stranger.browser.get('/settings');
    expect((await stranger.browser.post(`/settings/passkeys/${id}/remove`)).status).toBe(404);
    await browser.get('/settings');
    expect((await browser.post(`/settings/passkeys/${id}/remove`)).status).toBe(303);
    expect((await comeIn(device)).came.status).toBe(400);
    expect(await tested.audited(person)).toEqual(
      expect.arrayContaining(['passkey.register done', 'sign-in.passkey done', 'passkey.remove done']),
    );
  });

  test('a passkey is a second factor after the password, and a proof for what is dangerous', async () => {
    const person = await tested.person();
    const device = await register(person);
    const half = await halfIn(person);
    const answer = device.answer(await half.get('/sign-in/factor'));
    expect((await half.post('/sign-in/factor/passkey', { answer, next: '/settings' })).location).toBe('/settings');
    const other = await tested.signIn(person);
    const proof = device.answer(await other.get('/confirm?next=/settings'));
    expect((await other.post('/confirm/passkey', { answer: proof, next: '/settings' })).location).toBe('/settings');
    await other.get('/settings');
    expect((await other.post('/settings/recovery-codes')).status).toBe(200);
  });

  test('an answer is good once, in the browser and for the purpose that were asked, with a counter that grows', async () => {
    const person = await tested.person();
    const device = await register(person);
    const { browser, answer, came } = await comeIn(device, { counter: 5 });
    expect(came.status).toBe(303);
    await browser.post('/sign-out');
    const replayed = openBrowser(url(), elsewhere());
    for (const [name, value] of browser.cookies) replayed.cookies.set(name, value);
    await replayed.get('/sign-in');
    expect((await replayed.post('/sign-in/passkey', { answer })).status).toBe(400);
    const stolen = openBrowser(url(), elsewhere());
    const fresh = device.answer(await openBrowser(url(), elsewhere()).get('/sign-in'), { counter: 6 });
    await stolen.get('/sign-in');
    expect((await stolen.post('/sign-in/passkey', { answer: fresh })).status).toBe(400);
    for (const wrongs of [
      { counter: 5 },
      { counter: 0 },
      { counter: 7, origin: 'https://evil.example' },
      { counter: 8, unverified: true as const },
    ]) {
      expect({ wrongs, status: (await comeIn(device, wrongs)).came.status }).toEqual({ wrongs, status: 400 });
    }
    const half = await halfIn(person);
    const forSignIn = device.answer(await openBrowser(url(), elsewhere()).get('/sign-in'), { counter: 9 });
    await half.get('/sign-in/factor');
    expect((await half.post('/sign-in/factor/passkey', { answer: forSignIn })).status).toBe(400);
    expect((await comeIn(device, { counter: 10 })).came.status).toBe(303);
  });

  test('of one answer that is sent twice at once one comes in', async () => {
    const device = await register(await tested.person());
    const browser = openBrowser(url(), elsewhere());
    const answer = device.answer(await browser.get('/sign-in'));
    const both = await Promise.all([1, 2].map(() => browser.post('/sign-in/passkey', { answer })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400]);
  });

  test('neither a registration nor a sign-in that waits for a reset outlives it', async () => {
    const locked = ({ id }: TestPerson) => sql`select from person where id = ${id} for no key update`;
    const left = async ({ id }: TestPerson) =>
      db().one(sql`
        select (select count(*)::int from passkey where person_id = ${id}) as passkeys,
          (select count(*)::int from session where person_id = ${id} and stage = 'full' and ended_at is null) as sessions`);
    const registering = await tested.person();
    await register(registering);
    const { browser } = registering;
    const answer = testAuthenticator(url()).register(await browser.get('/settings/passkeys/new'));
    const [, registered] = await tested.inTurn(locked(registering), [
      await tested.resetOf(registering),
      () => browser.post('/settings/passkeys', { name: '', answer }),
    ]);
    expect(registered?.location).toMatch(/^\/sign-in/);
    expect(await left(registering)).toEqual({ passkeys: 0, sessions: 0 });
    const comingIn = await tested.person();
    const device = await register(comingIn);
    const other = openBrowser(url(), elsewhere());
    const proof = device.answer(await other.get('/sign-in'));
    const [, came] = await tested.inTurn(locked(comingIn), [
      await tested.resetOf(comingIn),
      () => other.post('/sign-in/passkey', { answer: proof, next: '/settings' }),
    ]);
    expect(came?.location).toMatch(/^\/sign-in/);
    expect(await left(comingIn)).toEqual({ passkeys: 0, sessions: 0 });
  });

  test('an answer that came where there was no room for one more is not taken later', async () => {
    const { id, browser } = await tested.person();
    await db().run(sql`
      insert into passkey (id, person_id, credential_id, public_key, counter, transports, name, created_at)
      select gen_random_uuid(), ${id}, uuid_send(gen_random_uuid()), '', 0, '{}', 'otra', now() from generate_series(1, 20)`);
    const answer = testAuthenticator(url()).register(await browser.get('/settings/passkeys/new'));
    expect((await browser.post('/settings/passkeys', { name: '', answer })).status).toBe(400);
    await db().run(sql`delete from passkey where person_id = ${id}`);
    expect((await browser.post('/settings/passkeys', { name: '', answer })).status).toBe(400);
    expect(await db().many(sql`select id from passkey where person_id = ${id}`)).toEqual([]);
  });

  test('another person’s passkey proves nothing, and a key pair belongs to one person', async () => {
    const [person, stranger] = [await tested.person(), await tested.person()];
    await register(person);
    const device = await register(stranger);
    const half = await halfIn(person);
    const answer = device.answer(await half.get('/sign-in/factor'));
    expect((await half.post('/sign-in/factor/passkey', { answer })).status).toBe(400);
    const taken = device.register(await person.browser.get('/settings/passkeys/new'));
    expect((await person.browser.post('/settings/passkeys', { name: '', answer: taken })).status).toBe(400);
    for (const wrong of ['', 'null', '{}', '{"id":"x"}', JSON.stringify({ id: 'AAAA', response: null })]) {
      await person.browser.get('/settings/passkeys/new');
      expect((await person.browser.post('/settings/passkeys', { answer: wrong })).status).toBe(400);
      const other = openBrowser(url(), elsewhere());
      await other.get('/sign-in');
      expect((await other.post('/sign-in/passkey', { answer: wrong })).status).toBe(400);
    }
    const kept = await db().many(sql`select id from passkey where person_id = ${person.id}`);
    expect(kept).toHaveLength(1);
  });

  test('registering needs a factor of the last minutes, and a device that checks who holds it', async () => {
    const person = await tested.person();
    const recovered = await tested.signIn(person);
    expect((await recovered.get('/settings/passkeys/new')).location).toMatch(/^\/confirm/);
    const device = testAuthenticator(url());
    const unchecked = device.register(await person.browser.get('/settings/passkeys/new'), { unverified: true });
    expect((await person.browser.post('/settings/passkeys', { answer: unchecked })).status).toBe(400);
    const foreign = device.register(await person.browser.get('/settings/passkeys/new'), {
      origin: 'http://localhost:1',
    });
    expect((await person.browser.post('/settings/passkeys', { answer: foreign })).status).toBe(400);
  });
}
