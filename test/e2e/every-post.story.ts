import { sql } from '@cobro/postgres/database.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { openBrowser, type TestBrowser } from '@cobro/testing/test-browser.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '../../dev/seed/run-command.ts';
import type { ServiceName } from '../../services/definitions.ts';
import { screens } from '../../services/dashboard/src/app.ts';
import { may, type ScopeKind, type Role } from '../../services/dashboard/src/people/roles.rules.ts';
import { everything, onceQuiet } from './everything.ts';
import { promotion } from './shop-records.ts';
import { signInAs } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** Every role in its kind of scope. */
const members = [
  { kind: 'organization', role: 'read-only' },
  { kind: 'organization', role: 'operator' },
  { kind: 'organization', role: 'owner' },
  { kind: 'partner', role: 'viewer' },
  { kind: 'partner', role: 'owner' },
  { kind: 'platform', role: 'admin' },
] as const satisfies { kind: ScopeKind; role: Role }[];
type Member = (typeof members)[number];
const nameOf = ({ kind, role }: Member) => `${role} of ${kind}`;

const posts = screens.filter(({ method }) => method === 'POST');
const owned = posts.flatMap(({ path, isFor }) => (typeof isFor === 'object' ? [{ path, needs: isFor }] : []));
/** Pages about one record. */
const pages = screens.flatMap(({ method, path, isFor }) =>
  method === 'GET' && path.includes(':') && typeof isFor === 'object' ? [{ path, needs: isFor }] : [],
);
type Needs = (typeof owned)[number]['needs'];
const mayReach = ({ kind, role }: Member, needs: Needs) =>
  may(role, needs.may) && (needs.of === undefined || needs.of.includes(kind));

/** Path parameters other than ids of records, with their values. */
const words: Readonly<Record<string, readonly string[]>> = {
  action:
    'capture release refund roll revoke delete pause enable secret test replay change stock archive restore resume cancel cancel-at-end collect'.split(
      ' ',
    ),
};

/**
 * Sends every form of the dashboard, from its own list of routes: without permission, without a session, with another's token, from
 * another origin, and about others' records. Each is refused, and nothing changes.
 */
export function everyPost(tested: StackUnderTest): void {
  const { stack } = tested;
  const browsers = new Map<string, TestBrowser>();
  const browserOf = (member: Member) => browsers.get(nameOf(member)) as TestBrowser;
  /** Ids of another organization's records, by the path segment before such an id. Nobody here may reach them. */
  let theirs: Readonly<Record<string, readonly string[]>> = {};
  let before: object;

  const signedIn = async (member: Member, scopeId: string): Promise<TestBrowser> => {
    const { kind, role } = member;
    const browser =
      kind === 'platform'
        ? await signInAs(tested, 'platform', [])
        : await signInAs(tested, role, [`--${kind}`, scopeId]);
    await browser.get('/settings');
    return browser;
  };
  const pathWith = (path: string, id: string, word = words['action']?.[0] ?? '') =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => (name in words ? word : id));
  const anyPath = (path: string) => pathWith(path, theirs['payments']?.[0] ?? '');
  /**
   * The requests to try: every member, about every record, with every action. In the short form only the path's own kind of record is
   * tried like that, and each other record once, with members and actions in turn.
   */
  const triesOf = (path: string, by: readonly Member[], ...strange: string[]) => {
    const ids = [...Object.values(theirs).flat(), ...strange];
    const fitting = theirs[/([^/]+)\/:/.exec(path)?.[1] ?? ''] ?? ids;
    const all = path.includes(':action') ? (words['action'] ?? []) : [''];
    return ids.flatMap((id, turn) => {
      const tries = by.flatMap((member) => all.map((word) => ({ id, member, word })));
      const one = (turn % by.length) * all.length + (turn % all.length);
      return inFull || fitting.includes(id) ? tries : tries.slice(one, one + 1);
    });
  };

  beforeAll(async () => {
    const { merchants, databaseUrl } = stack();
    const { id: partnerId } = await runCommand(databaseUrl, 'partners', 'create', '--name', 'Ventas del Istmo');
    for (const member of members) {
      const scopeId = member.kind === 'partner' ? partnerId : merchants.organizationId;
      browsers.set(nameOf(member), await signedIn(member, scopeId));
    }
    theirs = await recordsOfAnother(tested, () =>
      signedIn({ kind: 'organization', role: 'owner' }, merchants.otherOrganizationId),
    );
    await tested.agreed();
    before = await onceQuiet(tested);
  });

  test.each(posts)('POST $path without a session is refused, or led to the sign-in', async ({ path, isFor }) => {
    const nobody = openBrowser(stack().dashboardUrl);
    const answer = await nobody.post(anyPath(path));
    expect(answer.status).toBe(403);
    await nobody.get('/sign-in');
    if (isFor === 'anybody') return;
    const led = await nobody.post(anyPath(path));
    expect(led).toMatchObject({ status: 303, location: expect.stringMatching(/^\/sign-in\?/) });
  });

  test.each(posts)('POST $path with another’s token, or from another origin, is refused', async ({ path }) => {
    const turn = posts.findIndex((post) => post.path === path);
    for (const [i, member] of members.entries()) {
      const others = members.filter((one) => one !== member).map((one) => browserOf(one).formToken());
      const wrong: [fields: Record<string, string>, headers?: Record<string, string>][] = [
        ...['', ...others.slice(0, 2)].map((formToken): [Record<string, string>] => [{ formToken }]),
        [{}, { origin: 'https://evil.example' }],
        [{}, { origin: 'null' }],
        [{}, { 'sec-fetch-site': 'cross-site' }],
        [{}, { 'sec-fetch-site': 'same-site' }],
      ];
      // In the short form one member sends all of them and each other member one; members and requests take turns.
      const isWhole = inFull || turn % members.length === i;
      for (const [fields, headers] of wrong.filter((_, n) => isWhole || n === (turn + i) % wrong.length)) {
        const { status, html } = await browserOf(member).post(anyPath(path), fields, headers);
        expect({ by: nameOf(member), status }).toEqual({ by: nameOf(member), status: 403 });
        expect(html).toContain('FOREIGN_FORM');
      }
    }
  });

  test.each(owned)('POST $path by a role that may not is refused', async ({ path, needs }) => {
    const lesser = members.filter((member) => !mayReach(member, needs));
    expect(lesser.length > 0).toBe(needs.may !== 'read' || needs.of !== undefined);
    for (const member of lesser) {
      const { status } = await browserOf(member).post(anyPath(path));
      expect({ by: nameOf(member), isRefused: status === 403 || status === 404 }).toEqual({
        by: nameOf(member),
        isRefused: true,
      });
    }
  });

  test.each(owned.filter(({ path }) => path.includes(':')))(
    'POST $path about a record of another organization is not there',
    async ({ path, needs }) => {
      const reaching = members.filter((one) => mayReach(one, needs));
      for (const { id, member, word } of triesOf(path, reaching, crypto.randomUUID())) {
        const { status } = await browserOf(member).post(pathWith(path, id, word));
        expect({ by: nameOf(member), id, word, isRefused: [400, 403, 404].includes(status) }).toEqual({
          by: nameOf(member),
          id,
          word,
          isRefused: true,
        });
      }
    },
  );

  test.each(pages)('GET $path about a record of another organization is not there', async ({ path, needs }) => {
    for (const { id, member, word } of triesOf(path, members)) {
      const { status } = await browserOf(member).get(pathWith(path, id, word));
      const isRefused = status === 404 || (status === 403 && !mayReach(member, needs));
      expect({ by: nameOf(member), id, word, status, isRefused }).toMatchObject({ isRefused: true });
    }
  });

  test('nothing of what was refused has changed anything', async () => {
    expect(await everything(tested)).toEqual(before);
  });
}

/** Ids of every kind of record of the other organization, by the path segment before them. */
async function recordsOfAnother(
  { stack, merchant, db }: StackUnderTest,
  signIn: () => Promise<TestBrowser>,
): Promise<Record<string, string[]>> {
  const { otherApiKey, otherOrganizationId } = stack().merchants;
  const shop = merchant(otherApiKey);
  const { body: charge } = await shop.charge(await shop.saveCard(), { amount: 100 });
  await shop.send('POST', '/one-time-payment', { body: { amount: 80, description: 'Dos cafés' } });
  await shop.send('POST', '/promotion', { body: promotion });
  await shop.send('POST', '/subscription', {
    body: { paymentMethodId: await shop.saveCard(), amount: 349, periodicity: 'MONTHLY' },
  });
  await shop.send('POST', '/product', { body: { name: 'Talavera', price: 479, stock: 1 } });
  await shop.send('POST', '/payment-link', { body: { amount: 80, description: 'Dos cafés' } });
  const owner = await signIn();
  await owner.get('/developers/webhooks/new');
  const made = await owner.post('/developers/webhooks', {
    url: 'http://127.0.0.1:9/hook',
    types: 'webhook_endpoint.*',
  });
  expect(made.status).toBe(200);
  await owner.get('/settings/people');
  await owner.post('/settings/people/invite', { email: `${crypto.randomUUID()}@example.com`, role: 'operator' });
  const ids = async (service: ServiceName, query: ReturnType<typeof sql>) =>
    (await db(service).many<{ id: string }>(query)).map(({ id }) => id);
  const found = {
    keys: await ids('gateway', sql`select id from api_keys where organization_id = ${otherOrganizationId} limit 1`),
    people: await ids(
      'dashboard',
      sql`
      select unnest(array[id, person_id]) as id from (
        select id, person_id from membership where scope_id = ${otherOrganizationId} limit 1) as one`,
    ),
    devices: await ids(
      'dashboard',
      sql`
      select session.id from session join membership on membership.id = membership_id
      where scope_id = ${otherOrganizationId} limit 1`,
    ),
    invitations: await ids(
      'dashboard',
      sql`
      select id from invitation where scope_id = ${otherOrganizationId} and used_at is null limit 1`,
    ),
    links: await ids(
      'payments',
      sql`select id from one_time_payment where organization_id = ${otherOrganizationId} limit 1`,
    ),
    'payment-links': await ids(
      'payments',
      sql`select id from payment_link where organization_id = ${otherOrganizationId} limit 1`,
    ),
    promotions: await ids(
      'payments',
      sql`select id from promotion where organization_id = ${otherOrganizationId} limit 1`,
    ),
    subscriptions: await ids(
      'payments',
      sql`select id from subscription where organization_id = ${otherOrganizationId} limit 1`,
    ),
    products: await ids('payments', sql`select id from product where organization_id = ${otherOrganizationId} limit 1`),
    webhooks: await ids(
      'webhooks',
      sql`
      select id from webhook_endpoint where organization_id = ${otherOrganizationId} limit 1`,
    ),
  };
  for (const [kind, some] of Object.entries(found)) expect([kind, some.length > 0]).toEqual([kind, true]);
  return { payments: [charge.id], ...found };
}
