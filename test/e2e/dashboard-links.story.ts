import type { OneTimePaymentRecord } from '@cobro/contracts/one-time-payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { payer } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { signInAs } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** One-time payments in the dashboard, without a script. */
export function dashboardLinks(tested: StackUnderTest): void {
  const { merchant, db } = tested;
  let operator: TestBrowser;
  beforeAll(async () => {
    operator = await signInAs(tested, 'operator');
  });

  const newForm = async () => (await operator.get('/links/new')).formId;
  const fields = { amount: '1,499.00', description: 'Dos noches <en> Oaxaca', terms: '3', days: '7', externalId: '' };
  const create = async (over: Record<string, string> = {}): Promise<string> => {
    const formId = await newForm();
    const made = await operator.post('/links/new', { ...fields, formId, ...over });
    expect(made).toMatchObject({
      status: 303,
      location: expect.stringMatching(/^\/links\/[\da-f-]{36}\?done=created$/),
    });
    return made.location?.slice(7, 43) ?? '';
  };
  const record = async (id: string) =>
    (await merchant().send<OneTimePaymentRecord>('GET', `/one-time-payment/${id}/record`)).body;

  test('a form that is sent twice, or at once, makes one link; changed, it makes none and says so', async () => {
    const formId = await newForm();
    const sent = { ...fields, formId };
    const both = await Promise.all([operator.post('/links/new', sent), operator.post('/links/new', sent)]);
    const again = await operator.post('/links/new', sent);
    expect(new Set([...both, again].map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    const made = await db('payments').many(sql`select from one_time_payment where external_id = ${formId}`);
    expect(made).toHaveLength(1);
    const audit = await db('dashboard').many<{ id: string }>(sql`
      select answered.target as id from audit as asked join audit as answered on answered.asked_id = asked.id
      where asked.what = 'link.create' and asked.target = ${formId}`);
    expect(audit.map(({ id }) => `/links/${id}?done=created`)).toEqual(Array(3).fill(both[0]?.location));
    const changed = await operator.post('/links/new', { ...sent, amount: '1' });
    expect(changed).toMatchObject({ status: 409, html: expect.stringContaining('FORM_USED') });
    // The returned form has a new id.
    expect(changed.formId).not.toBe(formId);
  });

  test('a link is shared, paid by a customer, and leads to its payment', async () => {
    const id = await create();
    const page = await operator.get(`/links/${id}?done=created`);
    const { checkoutUrl, allowedTerms, expiresAt, createdAt } = await record(id);
    expect(allowedTerms).toEqual([3]);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBeGreaterThan(6.9 * 86_400_000);
    for (const shown of ['El enlace está listo', checkoutUrl, '$1,499.00', 'Dos noches &lt;en&gt; Oaxaca', '<svg']) {
      expect(page.html).toContain(shown);
    }
    const whatsApp = new URL(/href="(https:\/\/wa\.me\/[^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '');
    expect(whatsApp.searchParams.get('text')).toBe(`${fields.description}: $1,499.00 MXN. Paga aquí: ${checkoutUrl}`);
    expect((await operator.get(`/links/${id}/poster`)).html).toContain(checkoutUrl);
    expect((await operator.get('/links?status=PENDING')).html).toContain(`href="/links/${id}"`);
    const paid = await merchant().send('POST', `/one-time-payment/${id}/payment`, {
      body: { card: cardBody(testCards.approved), terms: 3, billingInformation: payer },
    });
    expect(paid.status).toBe(201);
    const { payment } = await record(id);
    expect((await operator.get(`/links/${id}`)).html).toContain(`href="/payments/${payment?.id}"`);
    expect((await operator.get('/links?status=PENDING')).html).not.toContain(`href="/links/${id}"`);
    expect((await operator.get('/links?status=CONFIRMED')).html).toContain(`href="/links/${id}"`);
    expect((await operator.get(`/links/${id}/poster`)).status).toBe(404);
    expect(await operator.post(`/links/${id}/cancel`)).toMatchObject({
      status: 409,
      html: expect.stringContaining('El enlace ya se pagó'),
    });
  });

  test('a link is cancelled once, however often it is sent, and the audit has what was asked and answered', async () => {
    const id = await create({ description: 'Un error' });
    await operator.get(`/links/${id}/cancel`);
    const both = await Promise.all([operator.post(`/links/${id}/cancel`), operator.post(`/links/${id}/cancel`)]);
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect((await record(id)).status).toBe('CANCELLED');
    const audit = await db('dashboard').many<{ outcome: string }>(sql`
      select outcome from audit where what = 'link.cancel' and target = ${id}`);
    expect(audit.map(({ outcome }) => outcome).toSorted()).toEqual(['answered', 'answered', 'asked', 'asked']);
  });

  test('what is wrong is named beside its field, and a card number is shown nowhere', async () => {
    const formId = await newForm();
    const number = testCards.approved;
    const wrong = await operator.post('/links/new', { formId, amount: 'x', description: number, externalId: number });
    expect(wrong.status).toBe(400);
    expect(wrong.html.match(/class="error"/g)).toHaveLength(4);
    expect(wrong.html).not.toContain(number);
    const late = await operator.post('/links/new', { ...fields, formId: crypto.randomUUID() });
    expect(late).toMatchObject({ status: 409, html: expect.stringContaining('FORM_TOO_OLD') });
  });

  test('who only reads sees no way to make or cancel one', async () => {
    const id = await create();
    const reader = await signInAs(tested, 'read-only');
    const page = await reader.get(`/links/${id}`);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain('/cancel"');
    expect((await reader.get('/links/new')).status).toBe(403);
  });
}
