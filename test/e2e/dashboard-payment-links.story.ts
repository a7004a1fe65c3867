import type { PaymentLink } from '@cobro/contracts/payment-links.ts';
import { sql } from '@cobro/postgres/database.ts';
import { approvedCard } from '@cobro/testing/card-numbers.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { payer } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { signInAs } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** Payment links in the dashboard, without a script. */
export function dashboardPaymentLinks(tested: StackUnderTest): void {
  const { merchant, db } = tested;
  let operator: TestBrowser;
  beforeAll(async () => {
    operator = await signInAs(tested, 'operator');
  });

  const newForm = async () => (await operator.get('/payment-links/new')).formId;
  const fields = { amount: '350', description: 'Clase <de> yoga', terms: '3', maxPayments: '1' };
  const record = async (id: string) => (await merchant().send<PaymentLink>('GET', `/payment-link/${id}`)).body;
  const pay = (id: string, terms = 3) =>
    merchant().send('POST', `/payment-link/${id}/payment`, {
      body: {
        attemptId: crypto.randomUUID(),
        amount: 350,
        card: cardBody(approvedCard(90_001)),
        terms,
        billingInformation: payer,
      },
    });

  test('a form that is sent twice makes one payment link, which is shared, switched off and on, and paid', async () => {
    const sent = { ...fields, formId: await newForm() };
    const both = await Promise.all([
      operator.post('/payment-links/new', sent),
      operator.post('/payment-links/new', sent),
    ]);
    expect(new Set(both.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    const [, id = ''] = /^\/payment-links\/([\da-f-]{36})\?done=created$/.exec(both[0]?.location ?? '') ?? [];
    const { checkoutUrl, allowedTerms } = await record(id);
    expect(allowedTerms).toEqual([3]);
    const changed = await operator.post('/payment-links/new', { ...sent, amount: '1' });
    expect(changed).toMatchObject({ status: 409, html: expect.stringContaining('ya creó un enlace con otros datos') });

    const page = await operator.get(`/payment-links/${id}?done=created`);
    for (const shown of ['El enlace está listo', checkoutUrl, '0 de 1', 'Clase &lt;de&gt; yoga', '<svg']) {
      expect(page.html).toContain(shown);
    }
    expect((await operator.get(`/payment-links/${id}/poster`)).html).toContain(checkoutUrl);

    const off = await Promise.all([1, 2].map(() => operator.post(`/payment-links/${id}/off`)));
    expect(off.map(({ location }) => location)).toEqual(Array(2).fill(`/payment-links/${id}?done=off`));
    expect(await pay(id)).toMatchObject({ status: 409, body: { code: 'PAYMENT_LINK_NOT_ACTIVE' } });
    expect((await operator.get('/payment-links?status=INACTIVE')).html).toContain(`href="/payment-links/${id}"`);
    expect((await operator.get(`/payment-links/${id}/poster`)).status).toBe(404);
    await operator.post(`/payment-links/${id}/on`);
    expect(await record(id)).toMatchObject({ status: 'ACTIVE' });

    // Terms need a credit card, and this is not one.
    expect(await pay(id)).toMatchObject({ status: 409, body: { code: 'TERMS_NOT_AVAILABLE' } });
    await merchant().send('PATCH', `/payment-link/${id}`, { body: { allowedTerms: [1, 3] } });
    expect(await pay(id, 1)).toMatchObject({ status: 201 });
    expect(await record(id)).toMatchObject({ status: 'SOLD_OUT' });
    const audit = await db('dashboard').many<{ what: string }>(sql`
      select what from audit where target = ${id} and outcome = 'asked' order by what`);
    expect(audit.map(({ what }) => what)).toContain('payment-link.off');
  });

  test('a payment link of a product has its price and name, and ends when its form says', async () => {
    const { body: product } = await merchant().send<{ id: string }>('POST', '/product', {
      body: { name: 'Talavera', price: 479 },
    });
    const formId = await newForm();
    const chosen = { formId, product: product.id, amount: '', description: '', expiresAt: '2099-12-31T23:59' };
    const made = await operator.post('/payment-links/new', { ...chosen, terms: '18', maxPayments: '' });
    expect(made.status).toBe(303);
    expect(await record(made.location?.slice(15, 51) ?? '')).toMatchObject({
      amount: 479,
      description: 'Talavera',
      product: { id: product.id },
      allowedTerms: [18],
      expiresAt: '2100-01-01T05:59:00.000Z',
    });
    const both = await operator.post('/payment-links/new', { ...chosen, formId: await newForm(), amount: '1' });
    expect(both).toMatchObject({ status: 400, html: expect.stringContaining('id="amount-error"') });
    const past = { formId: await newForm(), expiresAt: '2020-01-01T00:00' };
    expect(await operator.post('/payment-links/new', { ...fields, ...past })).toMatchObject({
      status: 400,
      html: expect.stringContaining('id="expiresAt-error"'),
    });
    await merchant().send('PATCH', `/product/${product.id}`, { body: { status: 'ARCHIVED' } });
    const late = await operator.post('/payment-links/new', { ...chosen, formId: await newForm() });
    expect(late).toMatchObject({ status: 409, html: expect.stringContaining('Ese producto está archivado') });
  });

  test('with something wrong the form says what, and makes none', async () => {
    const answer = await operator.post('/payment-links/new', {
      ...fields,
      formId: await newForm(),
      amount: '0',
      description: '4242 4242 4242 4242',
      maxPayments: '1000001',
    });
    expect(answer.status).toBe(400);
    for (const name of ['amount', 'description', 'maxPayments']) expect(answer.html).toContain(`id="${name}-error"`);
    expect(answer.html).not.toContain('4242 4242');
  });
}
