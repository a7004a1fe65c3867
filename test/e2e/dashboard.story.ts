import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { PageAnswer, TestBrowser } from '@cobro/testing/test-browser.ts';
import { acceptInvitation } from '@cobro/testing/test-people.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import { runCommand } from '../../dev/seed/run-command.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** What a person sees of payments in the dashboard, and what they do there, without a script. */
export function dashboard({ stack, merchant, db, agreed }: StackUnderTest): void {
  const signedIn = async (role: string, organization = stack().merchants.organizationId): Promise<TestBrowser> => {
    const { databaseUrl, dashboardUrl } = stack();
    const invited = ['--email', `${crypto.randomUUID()}@example.com`, '--role', role, '--organization', organization];
    const made = await runCommand(databaseUrl, 'people', 'invite', ...invited);
    const { link } = made as unknown as { link: string };
    return (await acceptInvitation(dashboardUrl, link)).browser;
  };
  const charged = async (body: object): Promise<Payment> =>
    (await merchant().charge(await merchant().saveCard(), { amount: 100, ...body })).body;
  const listed = async (browser: TestBrowser, search: string, id: string): Promise<PageAnswer> => {
    let page: PageAnswer | undefined;
    await until(`${search} shows the payment`, async () => {
      page = await browser.get(`/payments${search}`);
      return page.html.includes(`href="/payments/${id}"`);
    });
    return page as PageAnswer;
  };
  let owner: TestBrowser;

  test('the list has every payment, and finds it by what people know of it', async () => {
    owner = await signedIn('owner');
    const externalId = `<script>${crypto.randomUUID()}`;
    const { id } = await charged({ amount: 1250.5, externalId });
    const { status, html } = await listed(owner, '', id);
    expect(status).toBe(200);
    expect(html).toContain('$1,250.50');
    expect(html).not.toContain(externalId);
    for (const q of [externalId, '1,250.50', testCards.approved.slice(-4)]) {
      await listed(owner, `?q=${encodeURIComponent(q)}`, id);
    }
    expect((await owner.get(`/payments?q=${id}`)).location).toBe(`/payments/${id}`);
    const none = await owner.get('/payments?status=HOLD_EXPIRED&from=2020-01-01&to=2020-01-01');
    expect(none.html).not.toContain('href="/payments/');
    expect((await owner.get('/payments?from=yesterday')).status).toBe(400);
  });

  test('a card number in the search is refused, and nowhere in the answer', async () => {
    const number = testCards.approved;
    for (const query of [
      `q=${number}`,
      `q=x&q=${number}`,
      'q=4242+4242-4242.4242',
      `status=${number}`,
      `from=${number}`,
    ]) {
      const { status, html } = await owner.get(`/payments?${query}`);
      expect({ query, status }).toEqual({ query, status: 400 });
      expect(html).not.toMatch(/4242\D?4242/);
    }
    expect((await owner.get(`/payments/${number}`)).status).toBe(404);
  });

  test('a refund by double click is one refund, and the timeline names the person', async () => {
    const { id } = await charged({});
    expect((await owner.get(`/payments/${id}`)).html).toContain(`action="/payments/${id}/refund"`);
    const both = await Promise.all([
      owner.post(`/payments/${id}/refund`, { reason: 'Talla equivocada' }),
      owner.post(`/payments/${id}/refund`, { reason: 'Talla equivocada' }),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409]);
    const shown = await owner.get(`/payments/${id}?done=refund`);
    expect(shown.html).toContain('El pago se devolvió.');
    expect(shown.html).toContain('Ana Torres');
    expect(shown.html).not.toContain(`action="/payments/${id}/refund"`);
    const outcomes = await db('dashboard').many<{ outcome: string; status: number | null }>(sql`
      select outcome, status from audit where what = 'payment.refund' and target = ${id} order by id`);
    expect(outcomes.filter(({ outcome }) => outcome === 'asked')).toHaveLength(2);
    expect(outcomes.map(({ status }) => status).filter((status) => status !== null)).toEqual(
      expect.arrayContaining([200, 409]),
    );
  });

  test('a hold is captured in part, and another released', async () => {
    const [captured, released] = [await charged({ holdFunds: true }), await charged({ holdFunds: true })];
    await owner.get(`/payments/${captured.id}/capture`);
    const wrong = await owner.post(`/payments/${captured.id}/capture`, { amount: '60,5' });
    expect(wrong.status).toBe(400);
    const above = await owner.post(`/payments/${captured.id}/capture`, { amount: '100.01' });
    expect(above).toMatchObject({ status: 400, html: expect.stringContaining('CAPTURE_AMOUNT_EXCEEDS_HOLD') });
    const done = await owner.post(`/payments/${captured.id}/capture`, { amount: '$60.50' });
    expect(done.location).toBe(`/payments/${captured.id}?done=capture`);
    expect((await owner.get(`/payments/${captured.id}`)).html).toContain('$60.50');
    await owner.post(`/payments/${released.id}/release`);
    expect((await owner.get(`/payments/${released.id}?done=release`)).html).toContain('La retención se liberó.');
  });

  test('a refund above 5,000 pesos asks for a second factor of the last minutes, and does nothing before', async () => {
    const { id } = await charged({ amount: 5_000.01 });
    await owner.get(`/payments/${id}/refund`);
    await db('dashboard').run(sql`update session set proved_at = now() - interval '16 minutes'`);
    expect((await owner.post(`/payments/${id}/refund`)).location).toMatch(/^\/confirm\?next=/);
    expect((await owner.get(`/payments/${id}`)).html).toContain(`action="/payments/${id}/refund"`);
  });

  test('so does what one person refunds above 20,000 pesos on a day; what was refused does not count', async () => {
    const refunder = await signedIn('operator');
    const { person_id: personId } = await db('dashboard').one<{ person_id: string }>(sql`
      select person_id from session order by began_at desc limit 1`);
    const stale = () =>
      db('dashboard').run(sql`
      update session set proved_at = now() - interval '16 minutes' where person_id = ${personId}`);
    const made = [];
    for (let i = 0; i < 5; i++) made.push(await charged({ amount: 4_500 }));
    await stale();
    const refund = async ({ id }: Payment) => {
      await refunder.get(`/payments/${id}`);
      return refunder.post(`/payments/${id}/refund`);
    };
    const at = [(await refund(made[0] as Payment)).location];
    expect((await refund(made[0] as Payment)).status).toBe(409);
    for (const payment of made.slice(1, 4)) at.push((await refund(payment)).location);
    expect(at).toEqual(made.slice(0, 4).map(({ id }) => `/payments/${id}?done=refund`));
    const small = await Promise.all([charged({ amount: 1_500 }), charged({ amount: 1_500 })]);
    const both = await Promise.all(small.map(refund));
    expect(both.filter(({ location }) => location?.startsWith('/confirm'))).toHaveLength(1);
    expect((await refund(made[4] as Payment)).location).toMatch(/^\/confirm\?next=/);
    await db('dashboard').run(sql`update session set proved_at = now() where person_id = ${personId}`);
    expect((await refund(made[4] as Payment)).location).toBe(`/payments/${made[4]?.id}?done=refund`);
  });

  test('who only reads sees everything and changes nothing; another organization’s is not there', async () => {
    const reader = await signedIn('read-only');
    const { id } = await charged({});
    const page = await reader.get(`/payments/${id}`);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain('/refund"');
    expect((await reader.post(`/payments/${id}/refund`)).status).toBe(403);
    const { id: other } = await runCommand(stack().databaseUrl, 'organizations', 'create', '--name', 'La Otra');
    await until('the dashboard knows the other one', async () =>
      db('dashboard')
        .maybe(sql`select from organization where id = ${other}`)
        .then((row) => row !== undefined),
    );
    const stranger = await signedIn('owner', other);
    await stranger.get('/settings');
    expect((await stranger.get(`/payments/${id}`)).status).toBe(404);
    expect((await stranger.post(`/payments/${id}/refund`)).status).toBe(404);
    await expect(agreed()).resolves.toBeUndefined();
  });
}
