import type { PartnerList, PartnerPayment } from '@cobro/contracts/partner-payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import { parseCsv } from '@cobro/testing/parse-csv.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import { signInAs } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** What people of a sales partner see in the dashboard. */
export function dashboardPartner(tested: StackUnderTest): void {
  const { stack, db, partner } = tested;

  /** The steps below the amount on a payment's page equal the partner API's disbursement, to the centavo. */
  const stairsMeet = async (owner: TestBrowser, organizationId: string) => {
    const path = `/developer/payment?organizationId=${organizationId}&status=CONFIRMED&limit=20`;
    const { data } = (await partner().send<PartnerList<PartnerPayment>>('GET', path)).body;
    expect(data.length).toBeGreaterThan(0);
    for (const { id, amount, paymentDisbursement: parts } of data) {
      const { html } = await owner.get(`/payments/${id}`);
      const stairs = /<ol class="stairs">([^]*?)<\/ol>/.exec(html)?.[1] ?? '';
      const shown = [...stairs.matchAll(/<span class="number">([^<]+)</g)].map(([, text = '']) =>
        Number(text.replaceAll(/[$,]/g, '').replace('−', '-')),
      );
      const { merchantFeeAmount: fee, merchantIvaFeeAmount: iva, promotionTakeAmount, merchantTakeAmount } = parts;
      const [take, promotion] = [Number(merchantTakeAmount), Number(promotionTakeAmount)];
      const steps = [amount, -Number(fee), -Number(iva), ...(promotion === 0 ? [] : [-promotion]), take];
      expect({ id, steps: shown }).toEqual({ id, steps: steps.map((step) => step || 0) });
    }
  };

  test('a partner sees the payments of its merchants as its API has them, and nobody else’s', async () => {
    const { organizationId } = stack().merchants;
    const { partnerId } = await db('gateway').one<{ partnerId: string }>(sql`
      select partner_id as "partnerId" from organizations where id = ${organizationId}`);
    const viewer = await signInAs(tested, 'viewer', ['--partner', partnerId]);
    expect((await viewer.get('/')).location).toBe('/partner/payments');
    const codesIn = (html: string) => [...html.matchAll(/class="main"><span>(\d+)</g)].map(([, code]) => Number(code));
    await until('the page has what the API has', async () => {
      const path = `/developer/payment?organizationId=${organizationId}&limit=50`;
      const { data } = (await partner().send<PartnerList<PartnerPayment>>('GET', path)).body;
      const { html } = await viewer.get(`/partner/payments?organizationId=${organizationId}`);
      return data.length > 0 && JSON.stringify(codesIn(html)) === JSON.stringify(data.map((one) => one.operationCode));
    });
    const file = async (filter = '') => {
      const { status, html } = await viewer.get(`/partner/payments.csv?organizationId=${organizationId}${filter}`);
      const [head = [], ...lines] = parseCsv(html);
      const of = (name: string) => lines.map((cells) => cells[head.indexOf(name)]);
      return { status, ids: of('Id'), takes: of('Recibe (MXN)'), statuses: of('Estado') };
    };
    await until('its export has what the API has', async () => {
      const all: PartnerPayment[] = [];
      for (let offset = 0; offset === all.length; offset += 100) {
        const path = `/developer/payment?organizationId=${organizationId}&limit=100&offset=${offset}`;
        all.push(...(await partner().send<PartnerList<PartnerPayment>>('GET', path)).body.data);
      }
      const { status, ids, takes } = await file();
      const takesOf = all.map(({ paymentDisbursement }) => paymentDisbursement.merchantTakeAmount);
      const isAlike = JSON.stringify([ids, takes]) === JSON.stringify([all.map(({ id }) => id), takesOf]);
      return status === 200 && isAlike;
    });
    expect(new Set((await file('&status=CONFIRMED')).statuses)).toEqual(new Set(['CONFIRMED']));
    for (const wrong of ['from=yesterday', 'status=PAID'])
      expect((await viewer.get(`/partner/payments.csv?${wrong}`)).status).toBe(400);
    const { html: organizations } = await viewer.get('/partner/organizations');
    expect(organizations).toContain(`href="/partner/payments?organizationId=${organizationId}"`);
    const theirs = await viewer.get(`/partner/payments?organizationId=${crypto.randomUUID()}`);
    expect(theirs).toMatchObject({ status: 400, html: expect.not.stringContaining('class="main"') });
    for (const path of ['/payments', '/payments.csv', '/holds', '/deposits']) {
      expect((await viewer.get(path)).status).toBe(404);
    }
    const owner = await signInAs(tested, 'owner');
    await stairsMeet(owner, organizationId);
    for (const path of ['/partner/payments', '/partner/payments.csv']) expect((await owner.get(path)).status).toBe(404);
  });
}
