import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from '@cobro/postgres/database.ts';
import { parseCsv } from '@cobro/testing/parse-csv.ts';
import { type PageAnswer, type TestBrowser, unescaped } from '@cobro/testing/test-browser.ts';
import { acceptInvitation } from '@cobro/testing/test-people.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import { runCommand } from '../../dev/seed/run-command.ts';
import type { StackUnderTest } from './stack-under-test.ts';

const run = promisify(execFile);

/** A new merchant, without a script: invitation, sign-in, key, first charge by the page's commands, the payment, its refund. */
export function firstMinutes({ stack, db, agreed }: StackUnderTest): void {
  let owner: TestBrowser;
  let organizationId = '';
  let key = '';
  let keyId = '';
  let paymentId = '';

  const form = async (path: string) => {
    const { status, html } = await owner.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    return { externalId: /name="externalId" value="([^"]+)"/.exec(html)?.[1] ?? '' };
  };
  const keyIn = ({ html }: PageAnswer) => /sk_test_[0-9A-Za-z]{49}/.exec(html)?.[0] ?? '';
  const statusOf = async (apiKey: string) =>
    (await fetch(`${stack().baseUrl}/payment-method`, { headers: { 'x-api-key': apiKey } })).status;

  test('an invitation leads to a password, a factor and an empty list of keys', async () => {
    const { databaseUrl, dashboardUrl } = stack();
    const made = await runCommand(databaseUrl, 'organizations', 'create', '--name', 'Panadería Rosetta');
    organizationId = made.id;
    await runCommand(databaseUrl, 'fees', 'default', '--organization', organizationId);
    const invited = ['--email', 'duena@example.com', '--role', 'owner', '--organization', organizationId];
    let link = '';
    await until('the dashboard knows the organization', async () => {
      const command = await runCommand(databaseUrl, 'people', 'invite', ...invited).catch(() => undefined);
      link = (command as unknown as { link?: string } | undefined)?.link ?? '';
      return link !== '';
    });
    owner = (await acceptInvitation(dashboardUrl, link)).browser;
    const { html } = await owner.get('/developers/keys');
    expect(html).toContain('Todavía no hay llaves');
  });

  test('a key is named, made once by a double click, and shown once', async () => {
    const fields = { ...(await form('/developers/keys/new')), name: 'Tienda en línea' };
    const both: PageAnswer[] = await Promise.all([1, 2].map(() => owner.post('/developers/keys', fields)));
    const [first] = both;
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(both.map(keyIn)).size).toBe(1);
    key = both.map(keyIn)[0] ?? '';
    expect(first?.headers.get('cache-control')).toContain('no-store');
    const { html } = await owner.get('/developers/keys');
    expect(html).toContain('Tienda en línea');
    expect(html).toContain('nunca');
    expect(html).not.toContain(key.slice(8, -4));
    [, keyId = ''] = /\/developers\/keys\/([\da-f-]{36})\/roll/.exec(html) ?? [];
  });

  test('the commands of its page make the first charge, which appears, and the key counts as used', async () => {
    const made = await owner.post('/developers/keys', { ...(await form('/developers/keys/new')), name: 'Prueba' });
    const commands = unescaped(/<pre class="commands"[^>]*><code>([^]*?)<\/code>/.exec(made.html)?.[1] ?? '');
    expect(commands).toContain(`KEY=${keyIn(made)}`);
    const { stdout } = await run('bash', ['-c', commands]);
    const payment = JSON.parse(stdout) as { id: string; status: string; amount: number };
    expect(payment).toMatchObject({ status: 'CONFIRMED', amount: 150.25 });
    paymentId = payment.id;
    await until('the payment appears', async () =>
      (await owner.get('/payments')).html.includes(`href="/payments/${paymentId}"`),
    );
    await until('the key counts as used', async () => {
      const rows = await db('gateway').many<object>(sql`
        select from api_keys where last_used_at is not null and organization_id = ${organizationId}`);
      return rows.length > 0;
    });
    await until('its event appears', async () =>
      (await owner.get('/developers/events?type=payment.*')).html.includes(`href="/payments/${paymentId}"`),
    );
  });

  test('it is refunded there', async () => {
    await owner.get(`/payments/${paymentId}`);
    expect((await owner.post(`/payments/${paymentId}/refund`)).location).toBe(`/payments/${paymentId}?done=refund`);
    await expect(agreed()).resolves.toBeUndefined();
  });

  test('the export has it, as it is now', async () => {
    let [head, line, more]: string[][] = [];
    await until('the refund is in the export', async () => {
      [head, line, more] = parseCsv((await owner.get('/payments.csv')).html);
      return line?.includes('REFUNDED') === true;
    });
    const cells = ['Id', 'Importe (MXN)', 'Estado'].map((name) => line?.[head?.indexOf(name) ?? -1]);
    expect({ cells, more }).toEqual({ cells: [paymentId, '150.25', 'REFUNDED'], more: undefined });
  });

  test('the key is rolled with overlap: both work; rolled again by somebody else it is refused', async () => {
    expect(await statusOf(key)).toBe(200);
    const path = `/developers/keys/${keyId}/roll`;
    const rolled = await owner.post(path, { ...(await form(path)), oldKeyLivesForSeconds: '3600' });
    expect(rolled.status).toBe(201);
    expect([await statusOf(key), await statusOf(keyIn(rolled))]).toEqual([200, 200]);
    const again = await owner.post(path, { externalId: crypto.randomUUID(), oldKeyLivesForSeconds: '0' });
    expect(again).toMatchObject({ status: 409, html: expect.stringContaining('API_KEY_NOT_ACTIVE') });
  });

  test('the old one is revoked: 401; deleted, it leaves the list; the audit has what was asked, answered and done', async () => {
    await owner.get(`/developers/keys/${keyId}/revoke`);
    expect((await owner.post(`/developers/keys/${keyId}/revoke`)).location).toBe('/developers/keys?done=revoke');
    await until('the key is refused', async () => (await statusOf(key)) === 401);
    await owner.post(`/developers/keys/${keyId}/delete`);
    expect((await owner.get('/developers/keys')).html).not.toContain(keyId);
    const whatOf = async () =>
      (
        await db('dashboard').many<{ what: string; outcome: string }>(sql`
          select what, outcome from audit where target = ${keyId} order by id`)
      ).map(({ what, outcome }) => `${what} ${outcome}`);
    await until('the events have come', async () => (await whatOf()).filter((one) => one.endsWith('done')).length >= 2);
    expect(await whatOf()).toEqual(
      expect.arrayContaining([
        'api-key.created done',
        'api-key.roll asked',
        'api-key.roll answered',
        'api-key.ended done',
        'api-key.revoke asked',
        'api-key.revoke answered',
        'api-key.delete answered',
      ]),
    );
  });

  test('what is wrong in the form is said, and makes nothing', async () => {
    const fields = await form('/developers/keys/new');
    for (const name of ['', 'x'.repeat(101), '4242 4242 4242 4242']) {
      const answer = await owner.post('/developers/keys', { ...fields, name });
      expect({ name, status: answer.status }).toEqual({ name, status: 400 });
      expect(answer.html).not.toContain('4242 4242');
    }
    const path = `/developers/keys/${keyId}/revoke`;
    expect((await owner.post(path)).status).toBe(404);
  });
}
