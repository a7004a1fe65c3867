import { sql } from '@cobro/postgres/database.ts';
import { openBrowser, type PageAnswer } from '@cobro/testing/test-browser.ts';
import { acceptInvitation, codeOf, PASSWORD } from '@cobro/testing/test-people.ts';
import { expect, test } from '@jest/globals';
import type { DashboardUnderTest, TestPerson } from '../dashboard-under-test.ts';

/** What owners do with the people of their scope, and can no longer do once they have left. */
export function managingPeople(tested: DashboardUnderTest): void {
  const { db, url, elsewhere } = tested;
  const membershipOf = async ({ id, scopeId }: TestPerson) =>
    (await db().maybe<{ id: string; role: string }>(sql`
        select id, role from membership where person_id = ${id} and scope_id = ${scopeId}`)) ?? {
      id: '',
      role: 'none',
    };
  const act = async (by: TestPerson, on: TestPerson, verb: string, fields: Record<string, string> = {}) => {
    await by.browser.get('/settings');
    return by.browser.post(`/settings/people/${(await membershipOf(on)).id}/${verb}`, fields);
  };
  const linkIn = ({ html }: PageAnswer) => /\/invitation\/[\w-]{43}/.exec(html)?.[0] ?? '';
  const inviteBy = async (owner: TestPerson, email: string, role: string) => {
    await owner.browser.get('/settings');
    return linkIn(await owner.browser.post('/settings/people/invite', { email, role }));
  };
  const twoOwners = async () => {
    const one = await tested.person();
    return [one, await tested.person({ scopeId: one.scopeId })] as const;
  };

  test('of two owners who demote each other at once one stays', async () => {
    const [one, other] = await twoOwners();
    const both = await Promise.all([
      act(one, other, 'role', { role: 'operator' }),
      act(other, one, 'role', { role: 'operator' }),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 403]);
    const roles = [(await membershipOf(one)).role, (await membershipOf(other)).role];
    expect(roles.toSorted()).toEqual(['operator', 'owner']);
  });

  test('an owner who was removed or demoted does nothing more, by an old page or by an invitation', async () => {
    for (const [verb, fields, status] of [
      ['remove', {}, 303],
      ['role', { role: 'operator' }, 403],
    ] as const) {
      const [one, other] = await twoOwners();
      const invited = await inviteBy(other, `amigo.${other.email}`, 'owner');
      const again = await tested.invite({ email: other.email, scopeId: other.scopeId });
      expect((await act(one, other, verb, fields)).status).toBe(303);
      expect((await act(other, one, 'remove')).status).toBe(status);
      expect(await membershipOf(one)).toMatchObject({ role: 'owner' });
      const browser = openBrowser(url(), elsewhere());
      expect((await browser.get(invited)).status).toBe(404);
      expect((await browser.get(again.path)).status).toBe(404);
    }
  });

  test('an invitation that was begun before its maker left comes to nothing', async () => {
    const [one, other] = await twoOwners();
    const path = await inviteBy(other, `amigo.${other.email}`, 'owner');
    const browser = openBrowser(url(), elsewhere());
    await browser.get(path);
    await browser.post(path, { name: 'Eva', password: PASSWORD });
    expect((await act(one, other, 'remove')).status).toBe(303);
    const secret = /class="secret"[^>]*>([A-Z2-7 ]+)</.exec((await browser.get('/second-factor')).html)?.[1] ?? '';
    expect((await browser.post('/second-factor', { code: codeOf(secret) })).status).toBe(200);
    expect((await browser.get('/settings')).location).toBe('/scope');
    expect((await browser.get('/scope')).html).toContain('Tu cuenta no pertenece a ninguna organización.');
  });

  test('who joins is named with who invited, and another invitation of the same person is void', async () => {
    const owner = await tested.person();
    const email = `invitada.${owner.email}`;
    const older = await inviteBy(owner, email, 'read-only');
    const path = await inviteBy(owner, email, 'owner');
    const browser = openBrowser(url(), elsewhere());
    expect((await browser.get(older)).status).toBe(404);
    const spare = await tested.invite({ email, scopeId: owner.scopeId, madeBy: owner.id, role: 'read-only' });
    await acceptInvitation(url(), path, elsewhere());
    expect((await browser.get(spare.path)).status).toBe(404);
    const page = await owner.browser.get('/settings/people');
    expect(page.html).toContain('Con invitación de');
    const rows = await db().many<{ what: string; target: string; by: string }>(sql`
      select what, target, person_id = ${owner.id} as by from audit where target in (select id::text from invitation
        where email = ${email}) order by id`);
    expect(rows).toEqual([
      { what: 'people.invite.read-only', target: expect.any(String), by: true },
      { what: 'people.invite.owner', target: expect.any(String), by: true },
      { what: 'people.join.owner', target: rows[1]?.target, by: false },
    ]);
  });

  test('a session that ends while its owner goes to another scope lives on nowhere', async () => {
    const person = await tested.person();
    const second = await tested.person({ scopeId: person.scopeId });
    const { id: membership } = await membershipOf(person);
    const other = await tested.signIn(person);
    await Promise.all([person.browser.get('/settings'), other.get('/settings')]);
    const race = Array.from({ length: 4 }, () => other.post('/scope', { membership }));
    await Promise.all([person.browser.post('/sign-out', { everywhere: 'yes' }), ...race]);
    expect((await person.browser.get('/settings')).location).toMatch(/^\/sign-in/);
    const live = await db().many(sql`select id from session where person_id = ${person.id} and ended_at is null`);
    expect(live).toEqual([]);
    expect((await second.browser.get('/settings')).status).toBe(200);
  });
}
