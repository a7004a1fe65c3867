import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { openBrowser } from '@cobro/testing/test-browser.ts';
import { acceptInvitation } from '@cobro/testing/test-people.ts';
import { expect, test } from '@jest/globals';
import type { DashboardUnderTest } from '../dashboard-under-test.ts';

/** What who runs the platform may do in organizations: invite a first owner, and look where an owner lends it. */
export function platform(tested: DashboardUnderTest): void {
  const { db, url, elsewhere } = tested;
  const admin = () => tested.person({ kind: 'platform', scopeId: null, role: 'admin' });
  const organization = async (name: string) => {
    const id = newId();
    await db().run(sql`insert into organization (id, name, sequence) values (${id}, ${name}, 1)`);
    return id;
  };

  test('a first owner is invited where there is none, and nobody else', async () => {
    const { browser } = await admin();
    const id = await organization('La Primera');
    expect((await browser.get('/platform/organizations?q=primera')).html).toContain('sin persona dueña');
    const email = `${newId()}@example.com`;
    const made = await browser.post(`/platform/organizations/${id}/invite`, { email });
    await acceptInvitation(url(), /\/invitation\/[\w-]{43}/.exec(made.html)?.[0] ?? '', elsewhere());
    await browser.get('/platform/organizations');
    expect((await browser.post(`/platform/organizations/${id}/invite`, { email: `x${email}` })).status).toBe(409);
    expect((await browser.post(`/platform/organizations/${newId()}/invite`, { email })).status).toBe(404);
    const owner = await tested.person();
    await owner.browser.get('/settings');
    expect((await owner.browser.get('/platform/organizations')).status).toBe(404);
    expect((await owner.browser.post(`/platform/organizations/${id}/invite`, { email })).status).toBe(404);
  });

  test('a look is lent by an owner for some hours, changes nothing, says so, and ends', async () => {
    const [{ browser }, owner] = [await admin(), await tested.person()];
    const id = owner.scopeId ?? '';
    await db().run(sql`insert into organization (id, name, sequence) values (${id}, 'La Prestada', 1)`);
    await browser.get('/platform/organizations');
    expect((await browser.post(`/platform/organizations/${id}/look`)).status).toBe(404);
    await owner.browser.get('/settings/people');
    for (const hours of ['0', '25', '1.5', 'x'])
      expect((await owner.browser.post('/settings/lend', { hours })).status).toBe(400);
    expect((await owner.browser.post('/settings/lend', { hours: '1' })).status).toBe(303);
    await browser.get('/platform/organizations');
    expect((await browser.post(`/platform/organizations/${id}/look`)).location).toBe('/');
    const shown = await browser.get('/settings');
    expect(shown.html).toContain('te presta esta vista');
    expect((await browser.get('/settings/people')).status).toBe(403);
    const people = await owner.browser.get('/settings/people');
    expect(people.html).toContain('Prestada hasta');
    expect((await owner.browser.post('/settings/lend/end')).status).toBe(303);
    // Its sessions end with it.
    expect((await browser.get('/settings')).location).toMatch(/^\/sign-in/);
    const again = openBrowser(url(), elsewhere());
    await again.get('/sign-in');
    await db().run(sql`
      insert into membership (id, person_id, scope, scope_id, role, created_at, lent_until)
      values (${newId()}, ${owner.id}, 'organization', ${newId()}, 'read-only', now(), now() - interval '1 second')`);
    expect((await owner.browser.get('/scope')).html.match(/name="membership"/g)).toHaveLength(1);
  });
}
