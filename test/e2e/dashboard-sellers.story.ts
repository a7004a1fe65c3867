import type { Salesperson } from '@cobro/contracts/salespeople.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import type { TestBrowser } from '@cobro/testing/test-browser.ts';
import { payer } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { beforeAll, expect, test } from '@jest/globals';
import type { Client } from './client.ts';
import { signInAs, signInAtShop, signInElsewhere } from './sign-in.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** Branches, salespeople and their takings, in a separate organization. */
export function dashboardSellers(tested: StackUnderTest): void {
  let owner: TestBrowser;
  let merchant: Client;
  let organizationId = '';
  beforeAll(async () => {
    ({ browser: owner, organizationId, shop: merchant } = await signInAtShop(tested));
  });

  const listed = async <T>(path: string) => (await merchant.send<{ items: T[] }>('GET', path)).body.items;
  const branches = () => listed<{ id: string; name: string }>('/business-store-branch');
  const people = () => listed<Salesperson>('/salesperson');
  const lucia = async () => (await people()).find(({ username }) => username === 'lucia') as Salesperson;

  test('a branch and a person are added once, however often their forms are sent', async () => {
    expect((await owner.get('/sellers')).html).toContain('Todavía no hay nadie');
    const sent = { branchName: 'Roma <Norte>', formId: (await owner.get('/sellers')).formId };
    const both = await Promise.all([owner.post('/sellers/branches', sent), owner.post('/sellers/branches', sent)]);
    expect(both.map(({ location }) => location)).toEqual(Array(2).fill('/sellers?done=created'));
    const [branch, ...others] = await branches();
    expect([branch?.name, others]).toEqual(['Roma <Norte>', []]);
    const person = { name: 'Lucía Ramos', username: 'lucia', branch: branch?.id ?? '' };
    const twice = await Promise.all([owner.post('/sellers', person), owner.post('/sellers', person)]);
    expect(twice.map(({ location }) => location)).toEqual(Array(2).fill('/sellers?done=created'));
    const businessStoreBranch = { id: branch?.id, name: branch?.name };
    expect(await people()).toMatchObject([{ name: 'Lucía Ramos', status: 'ACTIVE', businessStoreBranch }]);
    const page = (await owner.get('/sellers?done=created')).html;
    for (const shown of ['Se agregó.', 'Lucía Ramos', 'Roma &lt;Norte&gt;']) expect(page).toContain(shown);
  });

  test('what cannot be is refused in words, and adds nobody', async () => {
    await owner.get('/sellers');
    const taken = await owner.post('/sellers', { name: 'Otra', username: 'lucia', branch: '' });
    expect(taken).toMatchObject({ status: 409, html: expect.stringContaining('ya es de otra persona') });
    for (const wrong of [{ username: 'No Vale' }, { name: '4242 4242 4242 4242' }, { branch: 'x' }]) {
      const answer = await owner.post('/sellers', { name: 'Eva', username: 'eva', branch: '', ...wrong });
      expect(answer).toMatchObject({ status: 400, html: expect.not.stringContaining('4242 4242') });
    }
    expect(await people()).toHaveLength(1);
  });

  test('what a chosen person sells stands in the takings of the day', async () => {
    const { id } = await lucia();
    expect((await owner.get('/links/new')).html).toContain(`<option value="${id}">Lucía Ramos</option>`);
    const fields = { amount: '120', description: 'Café', terms: '1', days: '1', externalId: '', salesperson: id };
    const made = await owner.post('/links/new', { ...fields, formId: (await owner.get('/links/new')).formId });
    const link = made.location?.slice(7, 43) ?? '';
    expect((await owner.get(`/links/${link}`)).html).toContain('Lucía Ramos');
    const body = { card: cardBody(testCards.approved), billingInformation: payer };
    expect((await merchant.send('POST', `/one-time-payment/${link}/payment`, { body })).status).toBe(201);
    await until('the takings have it', async () => {
      const { html } = await owner.get('/takings');
      return ['Lucía Ramos', 'Roma &lt;Norte&gt;', '$120.00'].every((shown) => html.includes(shown));
    });
    const { html } = await owner.get('/takings');
    const hrefs = [...html.matchAll(/href="(\/payments\?[^"]*(?:salespersonId|branchId)=[^"]*)"/g)];
    expect(hrefs).toHaveLength(2);
    for (const [, href = ''] of hrefs) {
      const list = await owner.get(href.replaceAll('&amp;', '&'));
      expect(list.html).toMatch(/Quien vendió: Lucía Ramos|Sucursal: Roma &lt;Norte&gt;/);
      expect(list.html).toMatch(/<option value="[^"]+" selected>(?:Lucía Ramos|Roma &lt;Norte&gt;)<\/option>/);
      expect(list.html).toContain('$120.00');
    }
    const tomorrow = await owner.get('/takings?day=2099-01-01');
    expect(tomorrow).toMatchObject({ status: 200, html: expect.not.stringContaining('$120.00') });
    expect((await owner.get('/takings?day=mañana')).status).toBe(404);
  });

  test('who sells no more is in no choice, and a form that was open names them in vain', async () => {
    const { id, businessStoreBranch } = await lucia();
    const { formId } = await owner.get('/payment-links/new');
    await owner.get(`/sellers/${id}`);
    const changed = { name: 'Lucía R.', branch: businessStoreBranch?.id ?? '', status: 'INACTIVE' };
    expect((await owner.post(`/sellers/${id}`, changed)).location).toBe('/sellers?done=changed');
    expect(await lucia()).toMatchObject({ name: 'Lucía R.', status: 'INACTIVE' });
    expect((await owner.get('/payment-links/new')).html).not.toContain(id);
    const late = { formId, amount: '80', description: 'Pan', salesperson: id };
    expect(await owner.post('/payment-links/new', late)).toMatchObject({
      status: 409,
      html: expect.stringContaining('Esa persona ya no vende'),
    });
    const [branch] = await branches();
    await owner.get(`/sellers/branches/${branch?.id}`);
    await owner.post(`/sellers/branches/${branch?.id}`, { name: 'Roma Sur' });
    expect((await branches())[0]?.name).toBe('Roma Sur');
  });

  test('who only reads changes nobody; another organization’s are not there', async () => {
    const [{ id }, [branch]] = [await lucia(), await branches()];
    const reader = await signInAs(tested, 'read-only', ['--organization', organizationId]);
    const page = await reader.get('/sellers');
    expect(page).toMatchObject({ status: 200, html: expect.not.stringContaining(`/sellers/${id}`) });
    const { browser: stranger } = await signInElsewhere(tested);
    await stranger.get('/sellers');
    for (const path of [`/sellers/${id}`, `/sellers/branches/${branch?.id}`]) {
      expect((await reader.get(path)).status).toBe(403);
      expect((await stranger.get(path)).status).toBe(404);
      expect((await stranger.post(path, { name: 'Mía', branch: '', status: 'ACTIVE' })).status).toBe(404);
    }
    expect([(await lucia()).name, (await branches())[0]?.name]).toEqual(['Lucía R.', 'Roma Sur']);
  });
}
