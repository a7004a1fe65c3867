import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { openBrowser, type PageAnswer } from '@cobro/testing/test-browser.ts';
import { acceptInvitation, codeOf, PASSWORD } from '@cobro/testing/test-people.ts';
import { expect, test } from '@jest/globals';
import type { DashboardUnderTest, TestPerson } from '../dashboard-under-test.ts';

/** What admins of the platform may do in organizations: invite a first owner, and look if an owner lends it. */
export function platform(tested: DashboardUnderTest): void {
  const { db, url, elsewhere } = tested;
  const admin = () => tested.person({ kind: 'platform', scopeId: null, role: 'admin' });
  const organization = async (name: string) => {
    const id = newId();
    await db().run(sql`insert into organization (id, name, sequence) values (${id}, ${name}, 1)`);
    return id;
  };
  const linkIn = ({ html }: PageAnswer) => /\/invitation\/[\w-]{43}/.exec(html)?.[0] ?? '';
  const inviteFirst = async ({ browser }: TestPerson, id: string) => {
    await browser.get('/platform/organizations');
    return linkIn(await browser.post(`/platform/organizations/${id}/invite`, { email: `${newId()}@example.com` }));
  };
  const remove = async ({ browser }: TestPerson, { id: personId }: TestPerson) => {
    const { id } = await db().one<{ id: string }>(sql`
      select id from membership where person_id = ${personId} and scope = 'platform'`);
    await browser.get('/settings');
    return browser.post(`/settings/people/${id}/remove`);
  };

  test('a first owner is invited where there is none, and nobody else', async () => {
    const { browser } = await admin();
    const id = await organization('La Primera');
    expect((await browser.get('/platform/organizations?q=primera')).html).toContain('sin persona dueña');
    const searched = await browser.get('/platform/organizations?q=4242+4242+4242+4242');
    expect(searched).toMatchObject({ status: 400, html: expect.stringContaining('parece un número de tarjeta') });
    expect(searched.html).not.toContain('4242');
    const email = `${newId()}@example.com`;
    const made = await browser.post(`/platform/organizations/${id}/invite`, { email });
    await acceptInvitation(url(), linkIn(made), elsewhere());
    await browser.get('/platform/organizations');
    expect((await browser.post(`/platform/organizations/${id}/invite`, { email: `x${email}` })).status).toBe(409);
    expect((await browser.post(`/platform/organizations/${newId()}/invite`, { email })).status).toBe(404);
    const owner = await tested.person();
    await owner.browser.get('/settings');
    expect((await owner.browser.get('/platform/organizations')).status).toBe(404);
    expect((await owner.browser.post(`/platform/organizations/${id}/invite`, { email })).status).toBe(404);
  });

  test('a first owner’s link gives nothing once there is an owner, also where it was begun before', async () => {
    const id = await organization('La Tardía');
    const [begun, unread] = [await inviteFirst(await admin(), id), await inviteFirst(await admin(), id)];
    const late = openBrowser(url(), elsewhere());
    await late.get(begun);
    await late.post(begun, { name: 'Eva', password: PASSWORD });
    const owner = await tested.person({ scopeId: id });
    expect((await openBrowser(url(), elsewhere()).get(unread)).status).toBe(404);
    expect((await owner.browser.get('/settings/people')).html).not.toContain('/settings/invitations/');
    const secret = /class="secret"[^>]*>([A-Z2-7 ]+)</.exec((await late.get('/second-factor')).html)?.[1] ?? '';
    expect((await late.post('/second-factor', { code: codeOf(secret) })).status).toBe(200);
    expect((await late.get('/settings')).location).toBe('/scope');
    const members = sql`select person_id as "personId" from membership where scope_id = ${id}`;
    expect(await db().many(members)).toEqual([{ personId: owner.id }]);
  });

  test('a partner’s first owner is invited where it has organizations and no owner', async () => {
    const { browser } = await admin();
    const partnerId = newId();
    await db().run(sql`
      insert into organization (id, name, partner_id, sequence)
      select gen_random_uuid(), 'La <b>Tercera</b>', ${partnerId}, 1 from generate_series(1, 3)`);
    const page = await browser.get('/platform/partners');
    expect(page).toMatchObject({ status: 200, html: expect.stringContaining(partnerId) });
    expect(page.html).not.toContain('<b>Tercera');
    const email = `${newId()}@example.com`;
    expect((await browser.post(`/platform/partners/${partnerId}/invite`, { email: 'x' })).status).toBe(400);
    expect((await browser.post(`/platform/partners/${newId()}/invite`, { email })).status).toBe(404);
    const made = await browser.post(`/platform/partners/${partnerId}/invite`, { email });
    const { browser: owner } = await acceptInvitation(url(), linkIn(made), elsewhere());
    expect((await owner.get('/partner/organizations')).html).toContain('Tercera');
    await browser.get('/platform/partners');
    expect((await browser.post(`/platform/partners/${partnerId}/invite`, { email: `x${email}` })).status).toBe(409);
    await owner.get('/settings');
    expect((await owner.get('/platform/partners')).status).toBe(404);
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

  /** An organization that lends a look, and an administrator who may take it. */
  const lent = async (name: string) => {
    const [looker, owner] = [await admin(), await tested.person()];
    const id = owner.scopeId ?? '';
    await db().run(sql`insert into organization (id, name, sequence) values (${id}, ${name}, 1)`);
    await owner.browser.get('/settings/people');
    await owner.browser.post('/settings/lend', { hours: '1' });
    await looker.browser.get('/platform/organizations');
    return { looker, owner, id };
  };

  test('an admin who is removed keeps no look, and leaves no link to a first owner', async () => {
    const { looker, id } = await lent('La Mirada');
    const path = await inviteFirst(looker, await organization('La Vacía'));
    const own = newId();
    const belong = (scope: 'organization' | 'platform', role: string) => sql`
      insert into membership (id, person_id, scope, scope_id, role, created_at)
      values (${newId()}, ${looker.id}, ${scope}, ${scope === 'platform' ? null : own}, ${role}, now())`;
    await db().run(belong('organization', 'owner'));
    const asOwner = await tested.invite({ scopeId: own, madeBy: looker.id });
    await looker.browser.get('/platform/organizations');
    expect((await looker.browser.post(`/platform/organizations/${id}/look`)).location).toBe('/');
    expect((await remove(await admin(), looker)).status).toBe(303);
    expect((await looker.browser.get('/settings')).location).toMatch(/^\/sign-in/);
    const left = sql`select scope_id as "scopeId" from membership where person_id = ${looker.id}`;
    expect(await db().many(left)).toEqual([{ scopeId: own }]);
    const visitor = openBrowser(url(), elsewhere());
    // This invitation was made while its maker was removed.
    expect((await visitor.get((await tested.invite({ madeBy: looker.id })).path)).status).toBe(404);
    // The other invitation stays void although its maker comes back.
    await db().run(belong('platform', 'admin'));
    expect((await visitor.get(path)).status).toBe(404);
    expect((await visitor.get(asOwner.path)).status).toBe(200);
  });

  test('a look that an admin takes while being removed is not kept', async () => {
    const [{ looker, id }, other] = [await lent('La Fugaz'), await admin()];
    const [look] = await tested.inTurn(
      sql`select from person where id = ${looker.id} for no key update`,
      [() => looker.browser.post(`/platform/organizations/${id}/look`)],
      () => remove(other, looker),
    );
    expect(look?.location).toMatch(/^\/sign-in/);
    expect(await db().many(sql`select id from membership where person_id = ${looker.id}`)).toEqual([]);
  });

  test.each([
    ['an owner', 'operator'],
    ['an operator’s command', 'owner'],
  ] as const)('whoever looks and is invited by %s belongs there from then on', async (by, role) => {
    const { looker, owner, id } = await lent(`La de ${by}`);
    expect((await looker.browser.post(`/platform/organizations/${id}/look`)).location).toBe('/');
    let path: string;
    if (role === 'operator') {
      await owner.browser.get('/settings/people');
      const made = await owner.browser.post('/settings/people/invite', { email: looker.email, role });
      path = linkIn(made);
    } else {
      ({ path } = await tested.invite({ email: looker.email, scopeId: id, role }));
    }
    const browser = openBrowser(url(), elsewhere());
    await browser.get(path);
    await browser.post(path, { password: PASSWORD });
    await browser.get('/sign-in/factor?next=/');
    expect((await browser.post('/sign-in/factor', { code: looker.recoveryCodes.pop() ?? '' })).status).toBe(303);
    const belongs = sql`
      select role, lent_until as "lentUntil" from membership where person_id = ${looker.id} and scope_id = ${id}`;
    expect(await db().many(belongs)).toEqual([{ role, lentUntil: null }]);
    // The end of the loan does not change the membership.
    await owner.browser.get('/settings/people');
    await owner.browser.post('/settings/lend/end');
    expect(await db().many(belongs)).toEqual([{ role, lentUntil: null }]);
  });

  test('a session that the platform’s issuer vouches for gets a look at most, and no membership', async () => {
    const { looker, id } = await lent('La Propia');
    const [membership, signOn] = [newId(), newId()];
    await db().run(sql`
      insert into sign_on (id, scope, scope_id, issuer, client_id, sealed_secret, changed_at)
      values (${signOn}, 'platform', null, 'https://issuer.example', 'cobro', '', now())`);
    await db().run(sql`update session set sign_on_id = ${signOn} where person_id = ${looker.id}`);
    await db().run(sql`
      insert into membership (id, person_id, scope, scope_id, role, created_at)
      values (${membership}, ${looker.id}, 'organization', ${id}, 'owner', now())`);
    expect((await looker.browser.post(`/platform/organizations/${id}/look`)).status).toBe(403);
    await db().run(sql`delete from membership where id = ${membership}`);
    expect((await looker.browser.post(`/platform/organizations/${id}/look`)).location).toBe('/');
    await db().run(sql`delete from sign_on where id = ${signOn}`);
  });
}
