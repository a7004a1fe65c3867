import { newId } from '@cobro/contracts/ids.ts';
import { type Database, type Sql, sql } from '@cobro/postgres/database.ts';
import { lockWaits } from '@cobro/testing/lock-waits.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { openBrowser, type PageAnswer } from '@cobro/testing/test-browser.ts';
import { acceptInvitation, type AcceptedInvitation, PASSWORD } from '@cobro/testing/test-people.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll } from '@jest/globals';
import { insertInvitation } from './people/invitation.store.ts';
import { newLink } from './people/link.ts';
import type { Role, ScopeKind } from './people/roles.rules.ts';

export interface TestPerson extends AcceptedInvitation {
  id: string;
  email: string;
  scopeId: string | null;
}

interface Wanted {
  role?: Role;
  kind?: ScopeKind;
  scopeId?: string | null;
  email?: string;
  madeBy?: string;
}

/** Sends each request once the one before waits for the locks of `held`; after `meanwhile` they go on in this order. */
const inTurn =
  (db: () => Database) =>
  async (held: Sql, asks: readonly (() => Promise<PageAnswer>)[], meanwhile?: () => Promise<unknown>) => {
    const asked: Promise<PageAnswer>[] = [];
    await db().inTransaction(async (tx) => {
      await tx.many(held);
      for (const ask of asks) {
        asked.push(ask());
        await until(`${asked.length} wait`, async () => (await lockWaits(db())) >= asked.length);
      }
      await meanwhile?.();
    });
    return Promise.all(asked);
  };

export type DashboardUnderTest = ReturnType<typeof dashboardUnderTest>;

/** One dashboard for all tests of a file, and people who use it. */
export function dashboardUnderTest() {
  let services: RunningServices | undefined;
  beforeAll(async () => {
    services = await startServices({ services: ['dashboard'], env: { TRUSTED_PROXY_HOPS: '1' } });
  });
  afterAll(() => services?.stop());
  const running = () => services as RunningServices;
  const db = () => running().db('dashboard');
  let addresses = 0;
  const url = () => running().dashboardUrl();
  /** A new address for each browser, so that one test's failures do not count for another. */
  const elsewhere = () => `192.0.2.${++addresses}`;
  /** Makes an invitation, as an operator's command or an owner does, and gives the path of its link. */
  const invite = async (wanted: Wanted = {}) => {
    const { role = 'owner', kind = 'organization', scopeId = newId(), email, madeBy = null } = wanted;
    const whom = email ?? `${newId()}@example.com`;
    const link = { purpose: 'join', email: whom, scope: kind, scopeId, role, madeBy } as const;
    const { row, path } = newLink(link, new Date());
    await insertInvitation(db(), row);
    return { id: row.id, email: whom, path };
  };
  return {
    services: running,
    db,
    url,
    elsewhere,
    invite,
    /** Invites a person and accepts the invitation: with a password, a factor and a session. */
    person: async (wanted: Wanted = {}): Promise<TestPerson> => {
      const scopeId = wanted.scopeId === undefined ? newId() : wanted.scopeId;
      const { email, path } = await invite({ ...wanted, scopeId });
      const accepted = await acceptInvitation(url(), path, elsewhere());
      const { id } = await db().one<{ id: string }>(sql`select id from person where email = ${email}`);
      return { id, email, scopeId, ...accepted };
    },
    /** Signs in in another browser, by a recovery code because the set-up has spent the app's current code. */
    signIn: async (person: TestPerson) => {
      const browser = openBrowser(url(), elsewhere());
      await browser.get('/sign-in');
      await browser.post('/sign-in', { email: person.email, password: PASSWORD });
      await browser.get('/sign-in/factor');
      const answer = await browser.post('/sign-in/factor', { code: person.recoveryCodes.pop() ?? '' });
      if (answer.status !== 303) throw new Error(`not signed in: ${answer.status} ${answer.html}`);
      return browser;
    },
    /** Opens an operator's reset link; the returned function posts its form with a new password. */
    resetOf: async ({ email }: Pick<TestPerson, 'email'>, resetsFactor = true) => {
      const { row, path } = newLink({ purpose: 'reset', email, resetsFactor, madeBy: null }, new Date());
      await insertInvitation(db(), row);
      const browser = openBrowser(url(), elsewhere());
      await browser.get(path);
      return () => browser.post(path, { password: 'otra frase bastante larga' });
    },
    inTurn: inTurn(db),
    /** The person's audit, oldest first. Ids within a millisecond have no order; nothing deletes rows, so `ctid` has their order. */
    audited: async ({ id }: Pick<TestPerson, 'id'>) =>
      (
        await db().many<{ line: string }>(sql`
          select what || ' ' || outcome as line from audit where person_id = ${id} order by at, audit.ctid`)
      ).map(({ line }) => line),
  };
}
