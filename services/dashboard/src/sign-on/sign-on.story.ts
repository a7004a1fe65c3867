import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { openBrowser, type TestBrowser } from '@cobro/testing/test-browser.ts';
import { CLIENT_SECRET, startIssuer, type TestIssuer } from '@cobro/testing/test-issuer.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DashboardUnderTest, TestPerson } from '../dashboard-under-test.ts';

/** Signing in by an OpenID Connect issuer, which runs in its own process. */
export function signingInByIssuer(tested: DashboardUnderTest): void {
  const { db, url, elsewhere } = tested;
  const invitedEmail = `${newId()}@example.com`;
  let issuer: TestIssuer;
  beforeAll(async () => {
    issuer = await startIssuer(`${url()}/sign-in/oidc/`, invitedEmail);
  });
  afterAll(() => issuer?.stop());

  const enter = async ({ browser }: TestPerson, facts: Record<string, string> = {}) => {
    await browser.get('/settings/sign-on');
    return browser.post('/settings/sign-on', {
      issuer: issuer.url,
      clientId: 'cobro',
      secret: CLIENT_SECRET,
      ...facts,
    });
  };
  /** Opens the page, sends its form, and returns the issuer's address. */
  const leave = async (browser: TestBrowser, path: string): Promise<string | null> => {
    const isOnForm = /^\/(?:invitation|confirm)\/|\/test$/.test(path);
    const [address = '', next = ''] = path.split('?next=');
    await browser.get(isOnForm ? address.slice(0, address.lastIndexOf('/')) : path);
    const answer = await browser.post(address, { next });
    const [, href] = /^0;url=(.+)$/.exec(answer.headers.get('refresh') ?? '') ?? [];
    return href ?? answer.location;
  };
  const visit = async (browser: TestBrowser, path: string, login: string) =>
    browser.get(await issuer.comeBackAs(await leave(browser, path), login));
  const signOnOf = async ({ scopeId }: TestPerson) =>
    db().one<{ id: string; tested: boolean; required: boolean }>(sql`
      select id, tested_at is not null as tested, is_required as required from sign_on where scope_id = ${scopeId}`);
  const owner = async () => {
    const person = await tested.person();
    expect((await enter(person)).status).toBe(303);
    return person;
  };
  const signInAs = async (signOnId: string, login: string) => {
    const browser = openBrowser(url(), elsewhere());
    return { browser, came: await visit(browser, `/sign-in/oidc/${signOnId}?next=/settings`, login) };
  };

  test('an issuer is a public https address, and its secret is sealed and shown nowhere', async () => {
    const person = await owner();
    for (const wrong of [
      'https://10.0.0.1',
      'https://169.254.169.254/latest',
      'https://a:b@example.com',
      `${issuer.url}?x`,
      `${issuer.url}\0`,
      'x',
    ]) {
      expect({ wrong, status: (await enter(person, { issuer: wrong })).status }).toEqual({ wrong, status: 400 });
    }
    expect((await enter(person, { secret: '' })).status).toBe(400);
    const page = await person.browser.get('/settings/sign-on');
    expect(page.html).not.toContain(CLIENT_SECRET);
    const [kept] = await db().many<{ text: string }>(
      sql`select sign_on::text as text from sign_on where scope_id = ${person.scopeId}`,
    );
    expect(kept?.text).not.toContain(Buffer.from(CLIENT_SECRET).toString('hex'));
    const reader = await tested.person({ scopeId: person.scopeId, role: 'read-only' });
    expect((await reader.browser.get('/settings/sign-on')).status).toBe(403);
  });

  test('the invited comes in by the issuer, acts there alone, and disposes of no account', async () => {
    const person = await owner();
    const { path } = await tested.invite({ email: invitedEmail, scopeId: person.scopeId, madeBy: person.id });
    const { id: signOnId } = await signOnOf(person);
    // The issuer states the invited person's e-mail, but nobody is linked with this subject.
    expect((await signInAs(signOnId, 'a-stranger')).came).toMatchObject({ status: 403 });
    const browser = openBrowser(url(), elsewhere());
    expect((await browser.get(path)).html).toContain(`action="${path}/oidc"`);
    expect((await visit(browser, `${path}/oidc`, 'ana')).location).toBe('/');
    expect((await browser.get('/settings')).html).toContain('Entraste por el proveedor');
    expect((await signInAs(signOnId, 'a-stranger')).came.status).toBe(403);
    const again = await signInAs(signOnId, 'ana');
    expect(again.came.location).toBe('/settings');
    const elsewhereToo = newId();
    await db().run(sql`
      insert into membership (id, person_id, scope, scope_id, role, created_at)
      select ${elsewhereToo}, id, 'organization', ${newId()}, 'owner', now() from person where email = ${invitedEmail}`);
    await again.browser.get('/scope');
    expect((await again.browser.post('/scope', { membership: elsewhereToo })).status).toBe(404);
    expect((await again.browser.get('/settings/passkeys/new')).status).toBe(403);
    await again.browser.get('/settings');
    expect((await again.browser.post('/settings/recovery-codes')).status).toBe(403);
    // The account has no password, so none is right.
    await browser.get('/sign-in');
    expect((await browser.post('/sign-in', { email: invitedEmail, password: '!' })).status).toBe(400);
    const rows = await db().many<{ line: string }>(sql`
      select what || ' ' || outcome as line from audit where scope_id = ${person.scopeId} and what like '%oidc' order by id`);
    expect(rows.map(({ line }) => line)).toEqual([
      'sign-in.oidc failed',
      'sign-in.oidc done',
      'sign-in.oidc failed',
      'sign-in.oidc done',
    ]);
  });

  test('an issuer of one scope opens no other, and an invitation to an account needs that account', async () => {
    const [one, other] = [await owner(), await owner()];
    expect((await visit(one.browser, '/settings/sign-on/link', 'uno')).html).toContain('La identidad “uno”');
    const { id } = await signOnOf(other);
    expect((await signInAs(id, 'uno')).came.status).toBe(403);
    const { path } = await tested.invite({ email: one.email, scopeId: other.scopeId });
    const browser = openBrowser(url(), elsewhere());
    expect((await visit(browser, `${path}/oidc`, 'uno')).status).toBe(409);
    expect((await visit(other.browser, '/settings/sign-on/link', 'otro')).status).toBe(200);
    // A subject belongs to one person only.
    const third = await tested.person({ scopeId: other.scopeId });
    expect((await visit(third.browser, '/settings/sign-on/link', 'otro')).status).toBe(409);
  });

  test('what an issuer sends to the address of one sign-on is taken for no other', async () => {
    const [one, other] = [await owner(), await owner()];
    const [here, there] = [await signOnOf(one), await signOnOf(other)];
    expect((await one.browser.get('/settings/sign-on')).html).toContain(`/sign-in/oidc/${here.id}/callback`);
    await visit(one.browser, '/settings/sign-on/link', 'una');
    const browser = openBrowser(url(), elsewhere());
    const location = (await leave(browser, `/sign-in/oidc/${here.id}`)) ?? '';
    expect(new URL(location).searchParams.get('redirect_uri')).toBe(`${url()}/sign-in/oidc/${here.id}/callback`);
    const back = await issuer.comeBackAs(location, 'una');
    expect((await browser.get(back.replace(here.id, there.id))).status).toBe(400);
    // Another sign-on's trip with this code fails: the issuer gave the code for the first one's address.
    const begun = new URL((await leave(browser, `/sign-in/oidc/${there.id}`)) ?? '');
    const played = new URLSearchParams(back.slice(back.indexOf('?')));
    played.set('state', begun.searchParams.get('state') ?? '');
    expect((await browser.get(`/sign-in/oidc/${there.id}/callback?${played.toString()}`)).status).toBe(502);
  });

  test('who comes back in another browser, twice, or with a made-up state is nobody', async () => {
    const person = await owner();
    expect((await visit(person.browser, '/settings/sign-on/link', 'dueño')).status).toBe(200);
    const { id } = await signOnOf(person);
    const browser = openBrowser(url(), elsewhere());
    const back = await issuer.comeBackAs(await leave(browser, `/sign-in/oidc/${id}`), 'dueño');
    const thief = openBrowser(url(), elsewhere());
    await thief.get('/sign-in');
    expect((await thief.get(back)).status).toBe(400);
    expect((await browser.get(back.replace(/state=[^&]+/, 'state=x'))).status).toBe(400);
    // An issuer may add what looks like a card number.
    expect((await browser.get(`${back}&session_state=4111111111111111`)).status).toBe(303);
    // A trip ends once even with its browser's cookie, and one that failed counts as a failure of the network.
    const again = await issuer.comeBackAs(await leave(person.browser, '/settings/sign-on/link'), 'dueño');
    expect((await person.browser.get(again)).status).toBe(409);
    const replayed = await person.browser.get(again);
    expect(replayed.status).toBe(400);
    expect(replayed.html).toContain('notBegun');
    const elsewhereNow = elsewhere();
    const failing = openBrowser(url(), elsewhereNow);
    const unused = await issuer.comeBackAs(await leave(failing, `/sign-in/oidc/${id}`), 'dueño');
    await db().run(sql`
      insert into network_failures (network, began_at, failures) values (${elsewhereNow}, clock_timestamp(), 100)`);
    expect((await failing.get(unused)).status).toBe(429);
    // Nothing was tried, and the trip is still open.
    await db().run(sql`update network_failures set failures = 99 where network = ${elsewhereNow}`);
    expect((await failing.get(unused)).status).toBe(303);
    expect(await db().one(sql`select failures from network_failures where network = ${elsewhereNow}`)).toEqual({
      failures: 99,
    });
  });

  test('a link of another site signs nobody in and links nothing, and who comes in ends the session of before', async () => {
    const [person, attacker] = [await owner(), await owner()];
    await visit(attacker.browser, '/settings/sign-on/link', 'atacante');
    const { id } = await signOnOf(attacker);
    const asked = await person.browser.get(`/sign-in/oidc/${id}`);
    expect([asked.status, asked.location, asked.headers.get('refresh')]).toEqual([200, null, null]);
    expect(asked.html).toContain(issuer.url);
    for (const path of [`/sign-in/oidc/${id}`, '/settings/sign-on/link', '/settings/sign-on/test']) {
      expect((await person.browser.post(path, { formToken: '' })).status).toBe(403);
      const foreign = await person.browser.post(path, {}, { origin: 'https://evil.example' });
      expect({ path, status: foreign.status }).toEqual({ path, status: 403 });
    }
    const session = new Map(person.browser.cookies);
    expect((await visit(person.browser, `/sign-in/oidc/${id}`, 'atacante')).location).toBe('/');
    const before = openBrowser(url(), elsewhere());
    for (const [name, value] of session) before.cookies.set(name, value);
    expect((await before.get('/settings')).location).toMatch(/^\/sign-in/);
  });

  test('what waits for a reset, or for other facts of the issuer, neither links nor signs in', async () => {
    const person = await owner();
    const { id } = await signOnOf(person);
    const locked = (of: TestPerson) => sql`select from person where id = ${of.id} for no key update`;
    const linking = async (of: TestPerson, login: string) => {
      const back = await issuer.comeBackAs(await leave(of.browser, '/settings/sign-on/link'), login);
      return () => of.browser.get(back);
    };
    const reset = await tested.person({ scopeId: person.scopeId });
    const asks = [await tested.resetOf(reset), await linking(reset, 'lenta')];
    const [, ended] = await tested.inTurn(locked(reset), asks);
    expect(ended?.status).toBe(400);
    const member = await tested.person({ scopeId: person.scopeId });
    const [late] = await tested.inTurn(locked(member), [await linking(member, 'rita')], () => enter(person));
    expect(late?.status).toBe(400);
    expect(await db().many(sql`select from identity where sign_on_id = ${id}`)).toEqual([]);
    expect((await (await linking(member, 'rita'))()).status).toBe(200);
    const browser = openBrowser(url(), elsewhere());
    const back = await issuer.comeBackAs(await leave(browser, `/sign-in/oidc/${id}`), 'rita');
    const [refused] = await tested.inTurn(locked(member), [() => browser.get(back)], () => enter(person));
    expect(refused?.status).toBe(404);
  });

  test('nobody links an issuer by a look that is lent', async () => {
    const person = await owner();
    const admin = await tested.person({ kind: 'platform', scopeId: null, role: 'admin' });
    await person.browser.get('/settings/people');
    expect((await person.browser.post('/settings/lend', { hours: '1' })).status).toBe(303);
    await db().run(sql`insert into organization (id, name, sequence) values (${person.scopeId}, 'Casa', 1)`);
    await admin.browser.get('/platform/organizations');
    expect((await admin.browser.post(`/platform/organizations/${person.scopeId}/look`)).location).toBe('/');
    expect((await admin.browser.get('/settings/sign-on/link')).status).toBe(403);
    await admin.browser.get('/settings');
    expect((await admin.browser.post('/settings/sign-on/link')).status).toBe(403);
  });

  test('what is dangerous asks the issuer again, for the same person', async () => {
    const person = await owner();
    await visit(person.browser, '/settings/sign-on/link', 'jefa');
    const { id } = await signOnOf(person);
    const { browser } = await signInAs(id, 'jefa');
    await browser.get('/settings/people');
    const invite = { email: `${newId()}@example.com`, role: 'operator' };
    expect((await browser.post('/settings/people/invite', invite)).location).toMatch(/^\/confirm/);
    expect((await browser.get('/confirm?next=/settings/people')).html).toContain('action="/confirm/oidc"');
    // A link on another site begins nothing.
    expect((await browser.get('/confirm/oidc?next=/settings/people')).status).toBe(405);
    expect((await browser.post('/confirm/oidc', { formToken: '' })).status).toBe(403);
    const other = await issuer.comeBackAs(await leave(browser, '/confirm/oidc?next=/settings/people'), 'otra');
    expect((await browser.get(other)).status).toBe(403);
    await browser.get('/settings/people');
    expect((await browser.post('/settings/people/invite', invite)).status).toBe(303);
    expect((await visit(browser, '/confirm/oidc?next=/settings/people', 'jefa')).location).toBe('/settings/people');
    await browser.get('/settings/people');
    expect((await browser.post('/settings/people/invite', invite)).status).toBe(200);
  });

  test('where it is required nobody else acts by password, and one owner stays who does', async () => {
    const person = await owner();
    const member = await tested.person({ scopeId: person.scopeId });
    await person.browser.get('/settings/sign-on');
    expect((await person.browser.post('/settings/sign-on/require')).status).toBe(409);
    expect((await visit(person.browser, '/settings/sign-on/test', 'prueba')).location).toBe(
      '/settings/sign-on?tested=yes',
    );
    await visit(member.browser, '/settings/sign-on/link', 'socia');
    const { id } = await signOnOf(person);
    const byIssuer = await signInAs(id, 'socia');
    await visit(byIssuer.browser, '/confirm/oidc?next=/', 'socia');
    await byIssuer.browser.get('/settings/sign-on');
    expect((await byIssuer.browser.post('/settings/sign-on/require')).status).toBe(409);
    await person.browser.get('/settings/sign-on');
    expect((await person.browser.post('/settings/sign-on/require')).status).toBe(303);
    expect(await signOnOf(person)).toMatchObject({ tested: true, required: true });
    expect((await member.browser.get('/settings')).location).toMatch(`/sign-in/oidc/${id}?next=`);
    expect((await byIssuer.browser.get('/settings')).status).toBe(200);
    expect((await person.browser.get('/settings')).status).toBe(200);
    const { id: membership } = await db().one<{ id: string }>(sql`
      select id from membership where person_id = ${person.id} and scope_id = ${person.scopeId}`);
    const people = await byIssuer.browser.get('/settings/people');
    expect(people.status).toBe(200);
    expect((await byIssuer.browser.post(`/settings/people/${membership}/remove`)).status).toBe(409);
    // New facts are not tested, and require nothing.
    expect((await enter(person)).status).toBe(303);
    expect(await signOnOf(person)).toMatchObject({ tested: false, required: false });
    expect((await byIssuer.browser.get('/settings')).location).toMatch(/^\/sign-in/);
    expect((await member.browser.get('/settings')).status).toBe(200);
  });

  test('an issuer that is away is no failure of the people of a network, and a wrong code is', async () => {
    const person = await owner();
    const { id } = await signOnOf(person);
    const network = elsewhere();
    const browser = openBrowser(url(), network);
    const failures = async () =>
      (await db().maybe<{ failures: number }>(sql`select failures from network_failures where network = ${network}`))
        ?.failures ?? 0;
    const back = await issuer.comeBackAs(await leave(browser, `/sign-in/oidc/${id}`), 'nadie');
    expect((await browser.get(back.replace(/code=[^&]+/, 'code=guessed'))).status).toBe(502);
    expect(await failures()).toBe(1);
    const other = await issuer.comeBackAs(await leave(browser, `/sign-in/oidc/${id}`), 'nadie');
    issuer.stop();
    expect((await browser.get(other)).status).toBe(502);
    expect(await failures()).toBe(1);
  });
}
