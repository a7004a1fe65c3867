import type { Product } from '@cobro/contracts/products.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { signInAs } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** Products in the dashboard, without a script. */
export function dashboardProducts(tested: StackUnderTest): void {
  const { merchant, db } = tested;
  let operator: TestBrowser;
  beforeAll(async () => {
    operator = await signInAs(tested, 'operator');
  });

  const newForm = async (path = '/products/new') => (await operator.get(path)).formId;
  const fields = { name: 'Talavera <azul>', price: '1,479.00', description: '', stock: '12', externalId: '' };
  const create = async (over: Record<string, string> = {}): Promise<string> => {
    const made = await operator.post('/products/new', { ...fields, formId: await newForm(), ...over });
    expect(made).toMatchObject({
      status: 303,
      location: expect.stringMatching(/^\/products\/[\da-f-]{36}\?done=created$/),
    });
    return made.location?.slice(10, 46) ?? '';
  };
  const record = async (id: string) => (await merchant().send<Product>('GET', `/product/${id}`)).body;
  /** The old values, which the form of a change sends along. */
  const shown = { 'was-name': fields.name, 'was-price': fields.price, 'was-description': '' };

  test('a form that is sent twice, or at once, makes one product; changed, it makes none and says so', async () => {
    const sent = { ...fields, formId: await newForm() };
    const both = await Promise.all([operator.post('/products/new', sent), operator.post('/products/new', sent)]);
    expect(new Set(both.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    expect(await db('payments').many(sql`select from product where external_id = ${sent.formId}`)).toHaveLength(1);
    const changed = await operator.post('/products/new', { ...sent, price: '1' });
    expect(changed).toMatchObject({ status: 409, html: expect.stringContaining('FORM_USED') });
    expect(changed.formId).not.toBe(sent.formId);
    const page = (await operator.get(both[0]?.location ?? '')).html;
    for (const text of ['El producto está listo', 'Talavera &lt;azul&gt;', '$1,479.00', '12 unidades']) {
      expect(page).toContain(text);
    }
  });

  test('a change sends only what the person has changed', async () => {
    const id = await create();
    await operator.get(`/products/${id}/change`);
    await merchant().send('PATCH', `/product/${id}`, { body: { price: 2000, description: 'De Puebla' } });
    const renamed = { ...shown, name: 'Talavera', price: fields.price, description: '' };
    expect(await operator.post(`/products/${id}/change`, renamed)).toMatchObject({
      status: 303,
      location: `/products/${id}?done=changed`,
    });
    expect(await record(id)).toMatchObject({ name: 'Talavera', price: 2000, description: 'De Puebla' });
    const wrong = await operator.post(`/products/${id}/change`, {
      ...renamed,
      name: testCards.approved,
      price: 'x',
    });
    expect(wrong.status).toBe(400);
    expect(wrong.html.match(/class="error"/g)).toHaveLength(2);
    expect(wrong.html).not.toContain(testCards.approved);
  });

  test('a form of the stock that is sent twice changes it once; below zero is refused', async () => {
    const id = await create();
    const path = `/products/${id}/stock`;
    const sent = { formId: await newForm(path), change: '-5' };
    const answers = await Promise.all([operator.post(path, sent), operator.post(path, sent)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await record(id)).stock).toBe(7);
    const changed = await operator.post(path, { ...sent, change: '5' });
    expect(changed).toMatchObject({ status: 409, html: expect.stringContaining('FORM_USED') });
    const below = await operator.post(path, { formId: await newForm(path), change: '-8' });
    expect(below).toMatchObject({ status: 409, html: expect.stringContaining('STOCK_INSUFFICIENT') });
    for (const change of ['0', 'x', '1.5']) {
      expect(await operator.post(path, { formId: await newForm(path), change })).toMatchObject({ status: 400 });
    }
    expect((await record(id)).stock).toBe(7);
  });

  test('a product is archived and put on sale again, and the audit has both', async () => {
    const id = await create({ stock: '' });
    await operator.get(`/products/${id}/archive`);
    expect(await operator.post(`/products/${id}/archive`)).toMatchObject({ status: 303 });
    expect((await operator.get('/products?status=ARCHIVED')).html).toContain(`href="/products/${id}"`);
    expect((await operator.get('/products?status=ACTIVE')).html).not.toContain(`href="/products/${id}"`);
    expect((await operator.get(`/products/${id}`)).html).toContain('Sin contar');
    expect(await operator.post(`/products/${id}/restore`)).toMatchObject({ status: 303 });
    expect(await record(id)).toMatchObject({ status: 'ACTIVE', stock: null });
    const audit = await db('dashboard').many<{ what: string; outcome: string }>(sql`
      select what, outcome from audit where target = ${id} and what <> 'product.create'`);
    expect(audit.map(({ what, outcome }) => `${what} ${outcome}`).toSorted()).toEqual([
      'product.archive answered',
      'product.archive asked',
      'product.restore answered',
      'product.restore asked',
    ]);
  });

  test('who only reads sees no way to change one', async () => {
    const id = await create();
    const reader = await signInAs(tested, 'read-only');
    const page = await reader.get(`/products/${id}`);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain('/archive"');
    expect((await reader.get('/products/new')).status).toBe(403);
  });
}
