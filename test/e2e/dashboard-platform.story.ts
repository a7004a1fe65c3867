import type { FeeChange } from '@cobro/contracts/fee-channels.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCommand } from '../../dev/seed/run-command.ts';
import { createClient } from './client.ts';
import { signInAs } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** What the platform's staff create and set in the dashboard. */
export function dashboardPlatform(tested: StackUnderTest): void {
  const { stack, db } = tested;
  let admin: TestBrowser;
  const [refund, capture] = [newId(), newId()];
  afterAll(() =>
    Promise.all([
      db('payments').run(sql`delete from bank_operation where id = ${refund}`),
      db('holds').run(sql`delete from bank_operation where id = ${capture}`),
      db('payments').run(sql`delete from acquirer_reconciliation where day = '2030-01-02'`),
      db('webhooks').run(sql`delete from event_reconciliation where day = '2030-01-02'`),
    ]),
  );
  beforeAll(async () => {
    admin = await signInAs(tested, 'platform', []);
  });

  test('an organization under a new partner is created once, gets its fees, and charges by them', async () => {
    const partnerForm = { name: 'Ventas del Sur', formId: (await admin.get('/platform/partners/new')).formId };
    const partners = await Promise.all([1, 2].map(() => admin.post('/platform/partners/new', partnerForm)));
    expect(partners.map(({ location }) => location)).toEqual(Array(2).fill('/platform/partners?done=created'));

    const { html, formId: id } = await admin.get('/platform/organizations/new');
    expect(html).toContain(`<option value="${partnerForm.formId}">Ventas del Sur</option>`);
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
    const atOnce = [{ fee: '3.1' }, { fee: '3.2' }];
    for (const forms of [[{}], [{ terms: '3' }], atOnce, [{ fee: '2.9' }], [{ fee: '2.9' }]]) {
      const answers = await Promise.all(forms.map((over) => admin.post(fees, { ...set, ...over })));
      for (const { location } of answers) expect(location).toBe(`${fees}?done=fees`);
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
    await auditNamesFees(id);
  });

  /** The audit shows each change of a fee from value to value, even if two people changed it at once. */
  const auditNamesFees = async (organizationId: string) => {
    const rows = await db('dashboard').many<{ what: string; outcome: string; fees: FeeChange[] }>(sql`
      select what, outcome, fees from audit where target = ${organizationId} and what like 'fees.%' order by id`);
    const told = (wanted: string) => rows.filter(({ outcome }) => outcome === wanted).flatMap(({ fees }) => fees);
    const single = told('answered').filter(({ terms }) => terms === 1);
    let [fee, follows] = [undefined as number | undefined, single.length];
    while (follows-- > 0) fee = single.find(({ before }) => before?.feePercentage === fee)?.after?.feePercentage;
    expect([single.length, fee]).toEqual([4, 2.9]);
    const [asked] = told('asked');
    expect(asked).toMatchObject({ type: 'CARD_NOT_PRESENT', network: null, terms: 1, after: { feePercentage: 3.5 } });
    const removed = told('answered').filter(({ after }) => after === null);
    expect(removed).toMatchObject([{ terms: 3, before: { feePercentage: 3.5 } }]);
    const { html } = await admin.get('/settings/audit?what=fees');
    expect(html).toMatch(/Por un enlace, cualquiera, cualquiera, Un solo pago: Comisión 3\.[12]0\s% → 2\.90\s%/);
    expect(html).toMatch(/3 meses, fila quitada: Comisión 3\.50\s%/);
    expect((await admin.get('/settings/audit.csv?what=fees')).html).toContain(
      'CARD_NOT_PRESENT any any 3: 3.5/0/0 > -',
    );
  };

  test('what the bank has not answered, and what came of comparing books, is there to see', async () => {
    expect((await admin.get('/')).location).toBe('/platform/organizations');
    const waiting = (id: string, purpose: string) => sql`
      insert into bank_operation (id, acquirer, purpose, subject_id, amount, claimed_at, inquire_at)
      values (${id}, 'default', ${purpose}, ${id}, 123456, now() - interval '2 minutes', now() + interval '1 day')`;
    await Promise.all([db('payments').run(waiting(refund, 'refund')), db('holds').run(waiting(capture, 'capture'))]);
    const report = JSON.stringify({ notCompared: 'no <report>' });
    await db('payments').run(sql`
      insert into acquirer_reconciliation (acquirer, day, differences, report) values ('default', '2030-01-02', 3, ${report})`);
    await db('webhooks').run(sql`
      insert into event_reconciliation (day, differences, report) values ('2030-01-02', 0, '{}')`);
    let html = '';
    await until('all of the page is there', async () => {
      ({ html } = await admin.get('/platform/operations'));
      return !html.includes('No disponible');
    });
    for (const shown of [refund, capture, '$1,234.56', 'no &lt;report&gt;', 'Eventos de los comercios', '2 ene 2030']) {
      expect(html).toContain(shown);
    }
  });

  test('an owner reaches none of it, whatever the scope', async () => {
    const { organizationId } = stack().merchants;
    const owner = await signInAs(tested, 'owner');
    await owner.get('/settings');
    expect((await owner.get('/platform/operations')).status).toBe(404);
    for (const path of ['organizations/new', 'partners/new', `organizations/${organizationId}/fees`]) {
      expect((await owner.get(`/platform/${path}`)).status).toBe(404);
      expect((await owner.post(`/platform/${path}`)).status).toBe(404);
    }
  });
}
