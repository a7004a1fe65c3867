import { sql } from '@cobro/postgres/database.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { acceptInvitation } from '@cobro/testing/test-people.ts';
import { until } from '@cobro/testing/until.ts';
import { createMerchant } from '../../bench/merchants.ts';
import { runCommand } from '../../dev/seed/run-command.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** The scope as options of `people invite`; empty for the platform, whose role is `platform`. */
type Scope = ['--organization' | '--partner', string] | [];

/** Signs a new person in, with a browser of their own; of the first organization unless a scope is given. */
export async function signInAs(tested: StackUnderTest, role: string, scope?: Scope): Promise<TestBrowser> {
  const { databaseUrl, dashboardUrl, merchants } = tested.stack();
  const of: Scope = scope ?? ['--organization', merchants.organizationId];
  const [kind, id] = of;
  if (kind === '--organization' && id !== undefined) await untilKnown(tested, id);
  const invited = ['--email', `${crypto.randomUUID()}@example.com`, '--role', role, ...of];
  const made = await runCommand(databaseUrl, 'people', 'invite', ...invited);
  const { link } = made as unknown as { link: string };
  return (await acceptInvitation(dashboardUrl, link)).browser;
}

/** The dashboard gets an organization by its event, and invites nobody before. */
async function untilKnown({ db }: StackUnderTest, organizationId: string): Promise<void> {
  const isKnown = () => db('dashboard').maybe(sql`select from organization where id = ${organizationId}`);
  await until('the dashboard knows the organization', async () => (await isKnown()) !== undefined);
}

/** Signs in the owner of a new organization that no other test uses. */
export async function signInElsewhere(
  tested: StackUnderTest,
): Promise<{ browser: TestBrowser; organizationId: string }> {
  const { id } = await runCommand(tested.stack().databaseUrl, 'organizations', 'create', '--name', 'La Otra');
  return { browser: await signInAs(tested, 'owner', ['--organization', id]), organizationId: id };
}

/** The same, but the organization has fees and a key, so that it can charge. */
export async function signInAtShop(tested: StackUnderTest) {
  const { organizationId, apiKey } = await createMerchant(tested.stack().databaseUrl, 'La Otra');
  const browser = await signInAs(tested, 'owner', ['--organization', organizationId]);
  return { browser, organizationId, shop: tested.merchant(apiKey) };
}
