import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { openBrowser, type TestBrowser } from '@cobro/testing/test-browser.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DashboardUnderTest, TestPerson } from '../dashboard-under-test.ts';
import { CLIENT_SECRET, startIssuer, type TestIssuer } from './test-issuer.ts';

/** Signing in by an issuer of OpenID Connect, which runs beside in a process of its own. */
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
  const visit = async (browser: TestBrowser, path: string, login: string) =>
    browser.get(await issuer.comeBackAs((await browser.get(path)).location, login));
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
    // The e-mail that the issuer states is the invited one's, and nobody is linked with this subject.
    expect((await signInAs(signOnId, 'a-stranger')).came).toMatchObject({ status: 403 });
    const browser = openBrowser(url(), elsewhere());
    expect((await browser.get(path)).html).toContain(`${path}/oidc`);
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
    // There is no password, so none is right.
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
    expect((await visit(one.browser, '/settings/sign-on/link', 'uno')).location).toBe('/settings');
    const { id } = await signOnOf(other);
    expect((await signInAs(id, 'uno')).came.status).toBe(403);
    const { path } = await tested.invite({ email: one.email, scopeId: other.scopeId });
    const browser = openBrowser(url(), elsewhere());
    expect((await visit(browser, `${path}/oidc`, 'uno')).status).toBe(409);
    expect((await visit(other.browser, '/settings/sign-on/link', 'otro')).location).toBe('/settings');
    // A subject is one person.
    const third = await tested.person({ scopeId: other.scopeId });
    expect((await visit(third.browser, '/settings/sign-on/link', 'otro')).status).toBe(409);
  });

  test('what an issuer sends to the address of one sign-on is taken for no other', async () => {
    const [one, other] = [await owner(), await owner()];
    const [here, there] = [await signOnOf(one), await signOnOf(other)];
    expect((await one.browser.get('/settings/sign-on')).html).toContain(`/sign-in/oidc/${here.id}/callback`);
    await visit(one.browser, '/settings/sign-on/link', 'una');
    const browser = openBrowser(url(), elsewhere());
    const location = (await browser.get(`/sign-in/oidc/${here.id}`)).location ?? '';
    expect(new URL(location).searchParams.get('redirect_uri')).toBe(`${url()}/sign-in/oidc/${here.id}/callback`);
    const back = await issuer.comeBackAs(location, 'una');
    expect((await browser.get(back.replace(here.id, there.id))).status).toBe(400);
    // Another sign-on's own trip with this code: the issuer gave the code for the address of the first.
    const begun = new URL((await browser.get(`/sign-in/oidc/${there.id}`)).location ?? '');
    const played = new URLSearchParams(back.slice(back.indexOf('?')));
    played.set('state', begun.searchParams.get('state') ?? '');
    expect((await browser.get(`/sign-in/oidc/${there.id}/callback?${played.toString()}`)).status).toBe(502);
  });

  test('who comes back in another browser, twice, or with a made-up state is nobody', async () => {
    const person = await owner();
    expect((await visit(person.browser, '/settings/sign-on/link', 'dueño')).location).toBe('/settings');
    const { id } = await signOnOf(person);
    const browser = openBrowser(url(), elsewhere());
    const back = await issuer.comeBackAs((await browser.get(`/sign-in/oidc/${id}`)).location, 'dueño');
    const thief = openBrowser(url(), elsewhere());
    await thief.get('/sign-in');
    expect((await thief.get(back)).status).toBe(400);
    expect((await browser.get(back.replace(/state=[^&]+/, 'state=x'))).status).toBe(400);
    expect((await browser.get(back)).status).toBe(303);
    // The issuer gave the code away once, and the browser has a session now.
    expect([400, 502]).toContain((await browser.get(back)).status);
  });

  test('what is dangerous asks the issuer again, for the same person', async () => {
    const person = await owner();
    await visit(person.browser, '/settings/sign-on/link', 'jefa');
    const { id } = await signOnOf(person);
    const { browser } = await signInAs(id, 'jefa');
    await browser.get('/settings/people');
    const invite = { email: `${newId()}@example.com`, role: 'operator' };
    expect((await browser.post('/settings/people/invite', invite)).location).toMatch(/^\/confirm/);
    expect((await browser.get('/confirm?next=/settings/people')).html).toContain('/confirm/oidc?next=');
    const other = await issuer.comeBackAs((await browser.get('/confirm/oidc?next=/settings/people')).location, 'otra');
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
}
