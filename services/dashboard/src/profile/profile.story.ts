import { sql } from '@cobro/postgres/database.ts';
import { openBrowser } from '@cobro/testing/test-browser.ts';
import { codeOf, PASSWORD } from '@cobro/testing/test-people.ts';
import { expect, test } from '@jest/globals';
import type { DashboardUnderTest, TestPerson } from '../dashboard-under-test.ts';
import { pruneNewFactors } from '../sign-in/factor.store.ts';

/** What people change of their own account, and what owners read of what was done. */
export function ownAccount(tested: DashboardUnderTest): void {
  const { db, url, elsewhere } = tested;
  const NEW = 'otra frase bastante larga';
  const secretIn = ({ html }: { html: string }) =>
    (/class="secret"[^>]*>([A-Z2-7 ]+)</.exec(html)?.[1] ?? '').replaceAll(' ', '');

  test('a password is changed by who knows it and has just shown a factor; other sessions end', async () => {
    const person = await tested.person();
    const other = await tested.signIn(person);
    await other.get('/settings/profile');
    const fields = { password: PASSWORD, newPassword: NEW };
    expect((await other.post('/settings/profile/password', fields)).location).toMatch(/^\/confirm/);
    const { browser } = person;
    await browser.get('/settings/profile');
    expect((await browser.post('/settings/profile/password', { ...fields, newPassword: 'corta' })).status).toBe(400);
    expect(
      (await browser.post('/settings/profile/password', { ...fields, password: 'wrong wrong wrong' })).status,
    ).toBe(400);
    expect((await other.get('/settings')).status).toBe(200);
    expect((await browser.post('/settings/profile/password', fields)).location).toBe('/settings/profile?done=password');
    expect((await other.get('/settings')).location).toMatch(/^\/sign-in/);
    expect((await browser.get('/settings')).status).toBe(200);
    const anew = openBrowser(url(), elsewhere());
    await anew.get('/sign-in');
    expect((await anew.post('/sign-in', { email: person.email, password: PASSWORD })).status).toBe(400);
    expect((await anew.post('/sign-in', { email: person.email, password: NEW })).status).toBe(303);
  });

  test('another app takes the place of the first, whose codes are good no more', async () => {
    const person = await tested.person();
    const { browser } = person;
    const secret = secretIn(await browser.get('/settings/factor'));
    expect((await browser.post('/settings/factor', { code: codeOf(person.totpSecret, 1) })).status).toBe(400);
    await db().run(sql`
      update factor set created_at = created_at - interval '14 minutes' where person_id = ${person.id} and confirmed_at is null`);
    await pruneNewFactors(db());
    const set = await browser.post('/settings/factor', { code: codeOf(secret) });
    expect(set.html.match(/<li><code>/g)).toHaveLength(10);
    const half = openBrowser(url(), elsewhere());
    await half.get('/sign-in');
    await half.post('/sign-in', { email: person.email, password: PASSWORD });
    await half.get('/sign-in/factor');
    for (const code of [codeOf(person.totpSecret, 1), person.recoveryCodes[0] ?? ''])
      expect((await half.post('/sign-in/factor', { code })).status).toBe(400);
    expect((await half.post('/sign-in/factor', { code: codeOf(secret, 1) })).status).toBe(303);
  });

  test('another app that waits for a reset of the password is not taken', async () => {
    const person = await tested.person();
    const secret = secretIn(await person.browser.get('/settings/factor'));
    const locked = sql`select from person where id = ${person.id} for no key update`;
    const [, changed] = await tested.inTurn(locked, [
      await tested.resetOf(person, false),
      () => person.browser.post('/settings/factor', { code: codeOf(secret) }),
    ]);
    expect(changed?.location).toMatch(/^\/sign-in/);
  });

  test('recovery codes that are renewed twice at once are ten, and none that wait for a reset', async () => {
    const good = async ({ id }: TestPerson) =>
      (await db().many(sql`select code_hash from recovery_code where person_id = ${id} and used_at is null`)).length;
    const [person, reset] = [await tested.person(), await tested.person()];
    const renew =
      ({ browser }: TestPerson) =>
      () =>
        browser.post('/settings/recovery-codes');
    await person.browser.get('/settings');
    const both = [renew(person), renew(person)];
    await tested.inTurn(sql`select from recovery_code where person_id = ${person.id} for update`, both);
    expect(await good(person)).toBe(10);
    await reset.browser.get('/settings');
    const locked = sql`select from person where id = ${reset.id} for no key update`;
    const [, renewed] = await tested.inTurn(locked, [await tested.resetOf(reset), renew(reset)]);
    expect(renewed?.location).toMatch(/^\/sign-in/);
    expect(await good(reset)).toBe(0);
  });

  test('name and language are the person’s own', async () => {
    const { browser } = await tested.person();
    await browser.get('/settings/profile');
    expect((await browser.post('/settings/profile', { name: '', language: 'en' })).status).toBe(400);
    expect((await browser.post('/settings/profile', { name: '=1+1', language: 'en' })).status).toBe(303);
    expect((await browser.get('/settings/profile?done=profile')).html).toContain('Your profile was saved.');
  });

  test('owners read who did what, by filters and as CSV, and nothing of other scopes', async () => {
    const owner = await tested.person();
    await owner.browser.get('/settings/profile');
    await owner.browser.post('/settings/profile', { name: '=HYPERLINK("x")', language: 'es' });
    const stranger = await tested.person();
    const page = await owner.browser.get('/settings/audit');
    expect(page.html).toContain('Segundo factor preparado');
    expect(page.html).toContain('Entrada con aplicación');
    expect((await owner.browser.get('/settings/audit?what=passkey')).html).toContain('Nada coincide');
    expect((await owner.browser.get(`/settings/audit?who=${stranger.id}`)).html).toContain('Nada coincide');
    expect((await owner.browser.get('/settings/audit?from=2020-01-01&to=2020-01-02')).html).toContain('Nada coincide');
    for (const wrong of ['what=%00', 'who=x', 'from=yesterday', 'before=x'])
      expect({ wrong, status: (await owner.browser.get(`/settings/audit?${wrong}`)).status }).toEqual({
        wrong,
        status: 400,
      });
    const { html, headers } = await owner.browser.get('/settings/audit.csv?what=people');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = html.trim().split('\r\n');
    expect(rows).toHaveLength(2);
    expect(rows[1]).toContain(`"'=HYPERLINK(""x"")","people.join.owner"`);
    // For a person who belongs elsewhere too, what they do outside of this scope is not shown.
    await db().run(sql`
      insert into membership (id, person_id, scope, scope_id, role, created_at)
      values (gen_random_uuid(), ${owner.id}, 'organization', gen_random_uuid(), 'owner', now())`);
    expect((await owner.browser.get('/settings/audit')).html).not.toContain('Entrada con aplicación');
    const reader = await tested.person({ scopeId: owner.scopeId, role: 'operator' });
    expect((await reader.browser.get('/settings/audit.csv')).status).toBe(403);
  });

  test('a page that answers a form leads to one in the other language, where nothing is lost by it', async () => {
    const person = await tested.person();
    const { browser } = person;
    const otherLanguage = (page: { html: string }) =>
      /class="language" href="([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&');
    const switched = async (back: string, action: string, fields: Record<string, string>) => {
      await browser.get(back);
      const answer = await browser.post(action, { back, ...fields });
      expect({ action, status: answer.status }).toEqual({ action, status: 400 });
      const there = otherLanguage(answer) ?? '';
      expect(there).toContain(back.split('?', 1)[0]);
      return browser.get(there);
    };
    const invite = await switched('/settings/people', '/settings/people/invite', { email: 'x', role: 'operator' });
    expect(invite).toMatchObject({ status: 200, html: expect.stringContaining('<html lang="en">') });
    await browser.get('/settings');
    const codes = await browser.post('/settings/recovery-codes', { back: '/settings' });
    expect(codes.status).toBe(200);
    expect(otherLanguage(codes)).toBeUndefined();
    await browser.get('/settings');
    await browser.post('/sign-out');
    const signIn = await switched('/sign-in?next=/holds', '/sign-in', { email: person.email, password: 'wrong' });
    expect(signIn).toMatchObject({ status: 200, html: expect.stringContaining('name="next" value="/holds"') });
  });
}
