import { sql } from '@cobro/postgres/database.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { acceptInvitation } from '@cobro/testing/test-people.ts';
import { until } from '@cobro/testing/until.ts';
import { runCommand } from '../../dev/seed/run-command.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** A new person of an organization, the first one unless given, in a browser of their own. */
export async function signInAs(
  { stack }: StackUnderTest,
  role: string,
  organization = stack().merchants.organizationId,
): Promise<TestBrowser> {
  const { databaseUrl, dashboardUrl } = stack();
  const invited = ['--email', `${crypto.randomUUID()}@example.com`, '--role', role, '--organization', organization];
  const made = await runCommand(databaseUrl, 'people', 'invite', ...invited);
  const { link } = made as unknown as { link: string };
  return (await acceptInvitation(dashboardUrl, link)).browser;
}

/** The owner of an organization that nobody else has to do with. */
export async function signInElsewhere(
  tested: StackUnderTest,
): Promise<{ browser: TestBrowser; organizationId: string }> {
  const { stack, db } = tested;
  const { id } = await runCommand(stack().databaseUrl, 'organizations', 'create', '--name', 'La Otra');
  const isKnown = () => db('dashboard').maybe(sql`select from organization where id = ${id}`);
  await until('the dashboard knows the other organization', async () => (await isKnown()) !== undefined);
  return { browser: await signInAs(tested, 'owner', id), organizationId: id };
}
