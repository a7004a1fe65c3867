import { sql } from '@cobro/postgres/database.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { until } from '@cobro/testing/until.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '../../dev/seed/run-command.ts';
import { createClient } from './client.ts';
import { signInAs } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** What whoever runs the platform creates and sets in the dashboard. */
export function dashboardPlatform(tested: StackUnderTest): void {
  const { stack, db } = tested;
  let admin: TestBrowser;
  beforeAll(async () => {
    admin = await signInAs(tested, 'platform', []);
  });

  const formIdOf = async (path: string) =>
    /name="formId" value="([^"]+)"/.exec((await admin.get(path)).html)?.[1] ?? '';

  test('an organization under a new partner is created once, gets its fees, and charges by them', async () => {
    const partnerForm = { name: 'Ventas del Sur', formId: await formIdOf('/platform/partners/new') };
    const partners = await Promise.all([1, 2].map(() => admin.post('/platform/partners/new', partnerForm)));
    expect(partners.map(({ location }) => location)).toEqual(Array(2).fill('/platform/partners?done=created'));

    const shown = await admin.get('/platform/organizations/new');
    expect(shown.html).toContain(`<option value="${partnerForm.formId}">Ventas del Sur</option>`);
    const id = await formIdOf('/platform/organizations/new');
    const sent = { formId: id, name: 'La <Nueva>', website: '', partner: partnerForm.formId };
    const made = await Promise.all([1, 2].map(() => admin.post('/platform/organizations/new', sent)));
    expect(made.map(({ location }) => location)).toEqual(Array(2).fill('/platform/organizations?done=created'));
    const changed = await admin.post('/platform/organizations/new', { ...sent, name: 'Otra' });
    expect(changed).toMatchObject({ status: 409, html: expect.stringContaining('ya creó otra cosa') });
    const wrong = await admin.post('/platform/organizations/new', { ...sent, name: '', website: 'x' });
    expect(wrong).toMatchObject({ status: 400, html: expect.stringContaining('id="website-error"') });
    await until('it is in the list', async () =>
      (await admin.get('/platform/organizations?q=nueva')).html.includes('La &lt;Nueva&gt;'),
    );

    const fees = `/platform/organizations/${id}/fees`;
    await until('payments knows it', async () => (await admin.get(fees)).html.includes('no puede cobrar'));
    const refused = await admin.post(fees, { types: 'CARD_NOT_PRESENT', fee: '31' });
    expect(refused).toMatchObject({ status: 400, html: expect.stringContaining('id="fee-error"') });
    const set = { types: 'CARD_NOT_PRESENT', terms: '1', fee: '3.5', discount: '', take: '', network: '' };
    for (const over of [{}, { terms: '3' }, { fee: '2.9' }]) {
      expect((await admin.post(fees, { ...set, ...over })).location).toBe(`${fees}?done=fees`);
    }
    const gone = { type: 'CARD_NOT_PRESENT', terms: '3', network: '', fundingSource: '' };
    const removed = await Promise.all([1, 2].map(() => admin.post(`${fees}/remove`, gone)));
    expect(removed.map(({ location }) => location)).toEqual(Array(2).fill(`${fees}?done=fees`));
    expect((await admin.get(`${fees}?done=fees`)).html).toContain('2.90 %');

    const { key } = await runCommand(stack().databaseUrl, 'keys', 'create', '--organization', id);
    const shop = createClient(stack().baseUrl, key);
    const { status, body: charge } = await shop.charge(await shop.saveCard(), { amount: 100 });
    expect(status).toBe(201);
    const owner = await signInAs(tested, 'owner', ['--organization', id]);
    expect((await owner.get('/fees')).html).toContain('2.90 %');
    await until('its disbursement goes by them', async () =>
      (await owner.get(`/payments/${charge.id}`)).html.includes('100.00 × 2.90 % = 2.90'),
    );
    const audit = await db('dashboard').many<{ what: string }>(sql`
      select distinct what from audit where scope = 'platform' and target = any(${[id, partnerForm.formId]}) order by what`);
    expect(audit.map(({ what }) => what)).toEqual(['fees.remove', 'fees.set', 'organization.create', 'partner.create']);
  });

  test('an owner reaches none of it, whatever the scope', async () => {
    const { organizationId } = stack().merchants;
    const owner = await signInAs(tested, 'owner');
    await owner.get('/settings');
    for (const path of ['organizations/new', 'partners/new', `organizations/${organizationId}/fees`]) {
      expect((await owner.get(`/platform/${path}`)).status).toBe(404);
      expect((await owner.post(`/platform/${path}`)).status).toBe(404);
    }
  });
}
