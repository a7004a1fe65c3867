import { sql } from '@cobro/postgres/database.ts';
import { openBrowser, type TestBrowser } from '@cobro/testing/test-browser.ts';
import { codeOf, PASSWORD } from '@cobro/testing/test-people.ts';
import { expect, test } from '@jest/globals';
import type { DashboardUnderTest } from '../dashboard-under-test.ts';

/** What the link of an invitation does, and does not do for other people who have it. */
export function invitations(tested: DashboardUnderTest): void {
  const { db, url, elsewhere } = tested;

  test('works once, and its page ends the session of whoever was there', async () => {
    const inviter = await tested.person();
    const { id, path } = await tested.invite({ scopeId: inviter.scopeId, role: 'operator' });
    expect((await inviter.browser.get(path)).location).toBe(path);
    expect((await inviter.browser.get('/settings')).location).toMatch(/^\/sign-in/);
    await db().run(sql`update invitation set used_at = clock_timestamp() where id = ${id}`);
    expect((await inviter.browser.get(path)).status).toBe(404);
  });

  test('of somebody who has an account needs its password, and sets up no second factor for whoever knows only that', async () => {
    const victim = await tested.person();
    const { path } = await tested.invite({ email: victim.email });
    const attacker = openBrowser(url(), elsewhere());
    await attacker.get(path);
    expect((await attacker.post(path, { name: 'Eva', password: 'another long phrase' })).status).toBe(400);
    expect((await attacker.post(path, { password: PASSWORD })).location).toMatch(/^\/sign-in\/factor/);
    expect((await attacker.get('/second-factor')).status).toBe(404);
    await attacker.get('/sign-in/factor');
    expect((await attacker.post('/second-factor', { code: '000000' })).status).toBe(404);
    expect((await attacker.get('/settings')).location).toBe('/sign-in/factor');
  });

  test('shows a new secret at each sign-in, and the same where its page is loaded again', async () => {
    const { path } = await tested.invite();
    const secretOf = async (browser: TestBrowser) =>
      /class="secret"[^>]*>([A-Z2-7 ]+)</.exec((await browser.get('/second-factor')).html)?.[1] ?? '';
    const begin = async (fields: Record<string, string>) => {
      const browser = openBrowser(url(), elsewhere());
      await browser.get(path);
      await browser.post(path, { password: PASSWORD, ...fields });
      return browser;
    };
    const first = await begin({ name: 'Ana Torres' });
    const seen = await secretOf(first);
    expect(seen).toMatch(/^[A-Z2-7 ]{39}$/);
    expect(await secretOf(first)).toBe(seen);
    const second = await begin({});
    const chosen = await secretOf(second);
    expect(chosen).not.toBe(seen);
    expect((await second.post('/second-factor', { code: codeOf(seen) })).status).toBe(400);
    expect((await second.post('/second-factor', { code: codeOf(chosen) })).status).toBe(200);
    // The account has a factor now, and the first browser sets up none.
    expect((await first.post('/second-factor', { code: codeOf(seen) })).status).toBe(404);
  });

  test('is not taken after seven days, nor a short password', async () => {
    const { id, path } = await tested.invite();
    const browser = openBrowser(url(), elsewhere());
    await browser.get(path);
    expect((await browser.post(path, { name: 'Ana', password: 'short' })).status).toBe(400);
    await db().run(sql`update invitation set expires_at = clock_timestamp() where id = ${id}`);
    expect((await browser.get(path)).status).toBe(404);
  });
}
